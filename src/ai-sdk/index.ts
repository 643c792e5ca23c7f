import type { LanguageModelMiddleware, ToolSet } from 'ai';
import { type AssizeClient, createGate, type GateOptions } from '../client/index.ts';
import { createMiddleware, type MiddlewareOptions } from './middleware.ts';
import { type Approvals, createApprovals, guardTools } from './tools.ts';

export { AssizeStoppedError } from '../client/index.ts';
export type { MiddlewareOptions } from './middleware.ts';

/**
 * `externalSessionId` names the conversation where the program has no id of its session. `entityId`, `parentSessionId` and `previousSessionId` are
 * of a session that the guard opens: whom it is about, which agent delegates, and which ended session it continues.
 */
export interface GuardOptions
  extends Pick<
    GateOptions,
    'onWarn' | 'externalSessionId' | 'entityId' | 'parentSessionId' | 'previousSessionId'
  > {
  client: AssizeClient;
  /**
   * The session of the conversation; default: one that the guard creates on first use. A server that makes a guard for each
   * request passes the conversation's session: what was evaluated and approved there before is found again.
   */
  sessionId?: string;
  /**
   * The fate of a held action: `stop` fails it at once and says which review it waits for, `wait` continues when a
   * reviewer has decided. Default `stop`. The same action again uses the approval, if there is one by then.
   */
  onHold?: 'stop' | 'wait';
  /** Longest wait for a reviewer, in milliseconds; default: as long as the review lasts. */
  waitMs?: number;
}

/** A guard for one conversation: what its middleware and its tools see is evaluated in one session. */
export interface AssizeGuard {
  /** For `wrapLanguageModel`. */
  middleware(options?: MiddlewareOptions): LanguageModelMiddleware;
  /** For `tools`. */
  tools<Tools extends ToolSet>(tools: Tools): Tools;
  /**
   * For `toolApproval`, beside `tools`: a held call becomes the SDK's own approval request, and a stopped one a denied call. When
   * the conversation goes on, the call is evaluated again: the answer to the request alone does not let it run.
   */
  toolApproval: Approvals['toolApproval'];
}

/** Puts the models and tools of the AI SDK (`ai`, version 7) under the policies of an integration. */
export function createAssizeGuard({ onHold, waitMs, ...options }: GuardOptions): AssizeGuard {
  const gate = createGate({
    ...options,
    waitMs: onHold === 'wait' ? (waitMs ?? Number.POSITIVE_INFINITY) : 0,
  });
  const { toolApproval, runsOf } = createApprovals(gate);
  return {
    middleware: (options = {}) => createMiddleware(gate, options),
    tools: (tools) => guardTools(runsOf, tools),
    toolApproval,
  };
}
