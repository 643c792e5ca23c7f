import { heldBy, isLetThrough } from '../client/gate-history.ts';
import { messageOf, undecidedMessage } from '../client/gate-request.ts';
import type { Review } from '../features/reviews/schema.ts';
import type { SeenTools } from '../features/tools/schema.ts';
import type { EvaluateRequest, EvaluateResult } from '../schemas/evaluations.ts';
import type { Json } from './message.ts';

/** The questions of the proxy to the service. Whoever implements it names the session of the conversation. */
export interface Evaluator {
  evaluate(
    request: Pick<EvaluateRequest, 'phase' | 'input' | 'resultOf' | 'status' | 'reviewRequestId'>,
    options: { redact: boolean; signal: AbortSignal | undefined },
  ): Promise<EvaluateResult>;
  /** Tells which tools the server lists, as it lists them. Of each, in their order, whether a client may see and call it now. */
  see(tools: readonly unknown[]): Promise<readonly SeenTool[]>;
  /** Resolves when the review is decided, or `ms` have passed. */
  waitForReview(id: string, ms: number, signal: AbortSignal): Promise<Pick<Review, 'status'> | null>;
}

/** The service's answer about a tool that a server lists. */
export type SeenTool = Pick<SeenTools['tools'][number], 'allowed' | 'held' | 'reason' | 'warnings'>;

/** Why something is not sent on. `evaluation` null: there was no decision. */
export interface Stop {
  message: string;
  evaluation: EvaluateResult | null;
}

export interface Judge {
  /** Decides about an action; resolves with the evaluation that lets it through. */
  action(input: Json, signal: AbortSignal, onWait: (reviewId: string) => () => void): Promise<Go | Stop>;
  /** Decides about what an action returned. `masked` is the same with detected values masked, where that is wanted. */
  result(action: Go, status: 'OK' | 'FAILED', result: unknown): Promise<{ masked: Json | null } | Stop>;
}

export interface Go {
  evaluationRunId: string;
}

export interface JudgeOptions {
  evaluator: Evaluator;
  /** Milliseconds for which a held action waits for its reviewer. 0: it is answered with its review at once. */
  waitMs: number;
  /** Whether detected values of what is let through are masked. */
  masks: boolean;
  /** Reviews of held actions, for conversations that have them in common; one of its own when absent. */
  held?: Map<string, string>;
}

/** Reviews of held actions that are remembered: the same action again uses an approval. */
const mostHeld = 1_000;

export function createJudge({ evaluator, waitMs, masks, held = new Map() }: JudgeOptions): Judge {
  const hold = (key: string, reviewId: string | null) => {
    held.delete(key);
    if (reviewId !== null) held.set(key, reviewId);
    for (const oldest of held.keys()) {
      if (held.size <= mostHeld) break;
      held.delete(oldest);
    }
  };

  async function evaluated(
    request: Parameters<Evaluator['evaluate']>[0],
    signal: AbortSignal | undefined,
    redact = false,
  ): Promise<EvaluateResult | Stop> {
    try {
      return await evaluator.evaluate(request, { redact, signal });
    } catch (error) {
      signal?.throwIfAborted();
      const reason = error instanceof Error ? error : new Error(String(error));
      return { message: undecidedMessage(reason), evaluation: null };
    }
  }

  return {
    async action(input, signal, onWait) {
      const key = JSON.stringify(input);
      const ask = (reviewRequestId: string | undefined) =>
        evaluated({ phase: 'ACTION', input, ...(reviewRequestId && { reviewRequestId }) }, signal);
      let evaluation = await ask(held.get(key));
      if (isStop(evaluation)) return evaluation;
      const review = heldBy(evaluation);
      hold(key, review);
      if (review !== null && waitMs > 0) {
        const stopWaiting = onWait(review);
        try {
          await evaluator.waitForReview(review, waitMs, signal).catch(() => signal.throwIfAborted());
        } finally {
          stopWaiting();
        }
        evaluation = await ask(review);
        if (isStop(evaluation)) return evaluation;
        hold(key, heldBy(evaluation));
      }
      if (isLetThrough(evaluation)) return { evaluationRunId: evaluation.evaluationRunId };
      return { message: heldMessage(evaluation), evaluation };
    },

    async result({ evaluationRunId }, status, result) {
      const request = { phase: 'RESULT', resultOf: evaluationRunId, status, input: { result } } as const;
      const evaluation = await evaluated(request, undefined, masks);
      if (isStop(evaluation)) return evaluation;
      if (!isLetThrough(evaluation)) return { message: messageOf(evaluation), evaluation };
      const masked = masks ? (evaluation.redactedInput?.result as Json | undefined) : null;
      // A result that could not be masked is not shown.
      if (masked === undefined) return { message: 'withheld: it could not be masked', evaluation };
      return { masked };
    },
  };
}

export const isStop = (decided: object): decided is Stop => 'message' in decided;

function heldMessage(evaluation: EvaluateResult): string {
  const message = messageOf(evaluation);
  return heldBy(evaluation) === null
    ? message
    : `${message}. Make the same call again after a reviewer has approved it: it then passes once.`;
}
