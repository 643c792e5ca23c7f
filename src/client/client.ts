import type {
  AllowedTools,
  AllowedToolsRequest,
  SeenTools,
  SeenToolsRequest,
} from '../features/tools/schema.ts';
import type { EnforcementAction } from '../schemas/decisions.ts';
import type { EvaluateResult, Evaluation } from '../schemas/evaluations.ts';
import { AssizeError } from './error.ts';
import { createHttp, path } from './http.ts';
import { type CallOptions, type ClientOptions, settingsOf } from './options.ts';
import { createReviews, type Reviews, type WaitOptions } from './reviews.ts';
import { createSessions, type Evaluate, type EvaluateOptions, type Sessions } from './sessions.ts';
import { createToolCatalogues, type ToolCatalogues } from './tool-catalogues.ts';

export interface AssizeClient {
  /**
   * Decides whether an action may be done, before it is done. A BLOCK resolves: follow `enforcementAction`, and do nothing
   * when the call rejects.
   */
  evaluate: Evaluate;
  /**
   * Like `evaluate`; when the action is held, waits for its review and evaluates again with it. Still APPROVAL_REQUIRED when
   * `waitMs` or the review has expired: evaluate again later with `reviewRequestId`. `onHeld` is called before the wait.
   */
  evaluateAndWait(
    request: Parameters<Evaluate>[0],
    options?: EvaluateOptions & { waitMs?: number; onHeld?: (held: EvaluateResult) => void },
  ): Promise<EvaluateResult>;
  /** The tools that a session may call now, for a list that a model reads. Every call is evaluated all the same. */
  allowedTools(request: AllowedToolsRequest, options?: CallOptions): Promise<AllowedTools>;
  /** The same of the tools that an MCP server lists: the service keeps their definitions, and says which of them changed. */
  seeTools(request: SeenToolsRequest, options?: CallOptions): Promise<SeenTools>;
  evaluations: {
    /** One evaluation with all that is stored of its content, also one without a session. */
    get(id: string, options?: CallOptions): Promise<Evaluation>;
  };
  sessions: Sessions;
  toolCatalogues: ToolCatalogues;
  reviews: Reviews;
}

const actions: ReadonlySet<string> = new Set<EnforcementAction>([
  'ALLOW',
  'WARN',
  'APPROVAL_REQUIRED',
  'BLOCK',
]);

/** The fields of a request that choose its session. */
const sessionFields: ReadonlySet<string> = new Set([
  'sessionId',
  'externalSessionId',
  'entityId',
  'parentSessionId',
  'previousSessionId',
  'metadata',
]);

/** Throws TypeError for options that could never work. */
export function createAssizeClient(options: ClientOptions): AssizeClient {
  const http = createHttp(options);
  const reviews = createReviews(http, settingsOf(options).timeoutMs);

  const evaluate: Evaluate = async (request, { redact, ...options } = {}) => {
    const query = redact === undefined ? {} : { redact };
    const call = { method: 'POST', path: '/v1/evaluate', query, json: request, once: true } as const;
    const { status, data } = await http.send<EvaluateResult>(call, options);
    // Callers branch on this value, and most would continue at one that they do not know.
    if (actions.has(data?.enforcementAction)) return data;
    throw new AssizeError('unexpected_response', 'the response contains no decision', { status });
  };

  return {
    evaluate,
    async evaluateAndWait(request, { waitMs, onHeld, ...options } = {}) {
      const first = await evaluate(request, options);
      const reviewRequestId = first.reviewRequestId;
      if (first.enforcementAction !== 'APPROVAL_REQUIRED' || reviewRequestId === null) return first;
      onHeld?.(first);
      if (!(await decided(reviews, reviewRequestId, { signal: options.signal, timeoutMs: waitMs })))
        return first;
      // The review is bound to the session of the first evaluation, which then needs no other name.
      const named = Object.entries(request).filter(([field]) => !sessionFields.has(field));
      const sameSession =
        first.sessionId === null
          ? request
          : { ...(Object.fromEntries(named) as typeof request), sessionId: first.sessionId };
      // Another request than the first: it names a review.
      const { idempotencyKey: _, ...again } = options;
      return evaluate({ ...sameSession, reviewRequestId }, again);
    },
    async allowedTools(request, options) {
      const call = { method: 'POST', path: '/v1/tools/allowed', json: request } as const;
      return (await http.send<AllowedTools>(call, options)).data;
    },
    async seeTools(request, options) {
      const call = { method: 'POST', path: '/v1/tools/seen', json: request } as const;
      return (await http.send<SeenTools>(call, options)).data;
    },
    evaluations: {
      async get(id, options) {
        const call = { method: 'GET', path: path`/v1/evaluations/${id}` } as const;
        return (await http.send<Evaluation>(call, options)).data;
      },
    },
    sessions: createSessions(http, evaluate),
    toolCatalogues: createToolCatalogues(http),
    reviews,
  };
}

async function decided(reviews: Reviews, id: string, options: WaitOptions): Promise<boolean> {
  try {
    const { status } = await reviews.waitFor(id, options);
    return status === 'APPROVED' || status === 'REJECTED';
  } catch (error) {
    if (error instanceof AssizeError && error.code === 'timeout') return false;
    throw error;
  }
}
