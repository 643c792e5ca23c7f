import type { ResultStatus } from '../schemas/decisions.ts';
import type { EvaluateResult } from '../schemas/evaluations.ts';
import type { GateRequest, GateResult } from './gate-request.ts';
import type { GateSession } from './gate-sessions.ts';

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
