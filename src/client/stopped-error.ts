import type { EvaluateResult } from '../schemas/evaluations.ts';
import type { GateResult } from './gate-request.ts';

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
