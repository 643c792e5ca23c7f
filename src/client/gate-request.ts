import type { Phase, ResultStatus } from '../schemas/decisions.ts';
import type { EvaluateRequest, EvaluateResult } from '../schemas/evaluations.ts';
import type { GateSession } from './gate-sessions.ts';

/** A request for a decision. Its session and `waitMs` win over those of the gate. */
export interface GateRequest extends GateSession {
  /** Default ACTION. */
  phase?: Phase;
  /** The tool's name; of an ACTION. */
  tool?: string;
  /** The arguments of an ACTION, the text or messages of a PROMPT, or what an action returned. */
  input?: unknown;
  /** The whole `input` that policies see, where `tool` and `input` do not describe it. */
  fields?: Readonly<Record<string, unknown>>;
  /** The cost by unit, as in `evaluate`: of an ACTION the estimate, of a RESULT the final amount. */
  cost?: EvaluateRequest['cost'];
  /** Kept for audit, and part of what an approval is bound to. */
  targetMetadata?: EvaluateRequest['targetMetadata'];
  /** RESULT only: the `evaluationRunId` that let the action through. */
  resultOf?: string;
  /** RESULT only; default OK. */
  status?: ResultStatus;
  /** The message in which a model will read the content. One that the session let through is not evaluated again. */
  message?: unknown;
  waitMs?: number;
  /** Ends the call, which then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
}

export interface GateResult {
  /**
   * `proceed`: do the action, or show the content. `replace`: show the model `message` in place of the content. `hold`: do
   * not do it yet. `refuse`: do not do it.
   */
  action: 'proceed' | 'replace' | 'hold' | 'refuse';
  /** For the model. Empty when nothing is to be said. */
  message: string;
  /** Null when there is no decision, and for content that was let through before. */
  evaluation: EvaluateResult | null;
  /** The review that a held action waits for. */
  reviewRequestId: string | null;
  /** Why there is no decision. */
  error: Error | null;
}

/** Limits of what is told: a model reads, and its owner pays for, all of it. */
const [mostReasons, longestReason] = [5, 1_000] as const;

/** The reason of a decision, for the model and the person who read it. Quotes nothing of what was evaluated. */
export function messageOf(evaluation: EvaluateResult): string {
  const { enforcementAction, violations, reviewRequestId, approval } = evaluation;
  const told = violations.slice(0, mostReasons).map(({ message }) => short(message));
  const more = violations.length - told.length;
  const reasons = `${told.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
  if (enforcementAction === 'ALLOW') return '';
  if (enforcementAction === 'WARN') return `warning of a policy: ${reasons}`;
  if (approval?.reason === 'rejected') {
    const said = approval.comment ? `, who says: ${short(approval.comment)}` : '';
    return `rejected by a reviewer${said} (${reasons})`;
  }
  if (enforcementAction !== 'APPROVAL_REQUIRED' || reviewRequestId === null)
    return `blocked by policy: ${reasons}`;
  return `waiting for approval (review ${reviewRequestId}), not done yet: ${reasons}`;
}

/** The text for a model when there is no decision. The reason names no content: errors of the service never do. */
export const undecidedMessage = (error: Error): string =>
  `not done, because no decision could be made: ${short(error.message)}`;

const short = (text: string): string =>
  text.length > longestReason ? `${text.slice(0, longestReason)}…` : text;

export interface RunRequest extends Omit<GateRequest, 'phase' | 'resultOf' | 'status' | 'message'> {
  tool: string;
  /** The message in which a model will read what the action returned, or the text of its error: see `message`. */
  messageOf?: ((returned: unknown, status: ResultStatus) => unknown) | undefined;
  /** The final cost of the action; undefined where that is not known. */
  costOf?: ((returned: unknown, status: ResultStatus) => GateRequest['cost']) | undefined;
}

/** An action that was let through. */
export interface StartedAction {
  /** Resolves when a model may see what the action returned. Rejects with AssizeStoppedError when it may not. */
  returned(value: unknown): Promise<void>;
  /** The same for an action that failed: the model sees the error as a text. */
  threw(error: unknown): Promise<void>;
}

export interface GateRuns {
  /**
   * Decides about an action whose result is evaluated when it is there. Rejects with AssizeStoppedError, whose message is
   * for the model, when the action may not be done.
   */
  start(request: RunRequest): Promise<StartedAction>;
  /** Does the action if it may, and returns what it returned if that may be shown. Rejects like `start`, or as `execute` does. */
  run<T>(request: RunRequest, execute: () => T | Promise<T>): Promise<T>;
}

export function createGateRuns(gate: (request: GateRequest) => Promise<GateResult>): GateRuns {
  const start: GateRuns['start'] = async ({ messageOf, costOf, ...request }) => {
    const started = await gate(request);
    const { evaluation } = started;
    if (started.action !== 'proceed' || evaluation === null) throw new AssizeStoppedError(started);
    const { sessionId, externalSessionId, parentSessionId, previousSessionId, entityId, signal } = request;
    const session = { sessionId, externalSessionId, parentSessionId, previousSessionId, entityId };
    const ended = async (status: ResultStatus, input: unknown) => {
      const message = messageOf?.(input, status);
      const cost = costOf?.(input, status);
      const result = await gate({
        phase: 'RESULT',
        resultOf: evaluation.evaluationRunId,
        status,
        input,
        signal,
        ...(message !== undefined && { message }),
        ...(cost !== undefined && { cost }),
        ...defined(session),
      });
      if (result.action !== 'proceed') throw new AssizeStoppedError(result);
    };
    return {
      returned: (value) => ended('OK', value),
      threw: (error) => ended('FAILED', String(error)),
    };
  };

  return {
    start,
    async run(request, execute) {
      const action = await start(request);
      let value: Awaited<ReturnType<typeof execute>>;
      try {
        value = await execute();
      } catch (error) {
        await action.threw(error);
        throw error;
      }
      await action.returned(value);
      return value;
    },
  };
}

const defined = (session: { [Name in keyof GateSession]-?: GateSession[Name] | undefined }): GateSession =>
  Object.fromEntries(Object.entries(session).filter(([, value]) => value !== undefined));

/** An action that may not be done, or not yet; or content that may not be shown. Its message is for the model that reads it. */
export class AssizeStoppedError extends Error {
  readonly result: GateResult;
  /** Null when there is no decision. */
  readonly evaluation: EvaluateResult | null;
  /** The status that Express and Fastify give a response whose handler throws this: 503 when there is no decision. */
  readonly statusCode: 403 | 503;

  constructor(result: GateResult) {
    super(result.message, result.error === null ? undefined : { cause: result.error });
    this.name = 'AssizeStoppedError';
    this.result = result;
    this.evaluation = result.evaluation;
    this.statusCode = result.error === null ? 403 : 503;
  }
}
