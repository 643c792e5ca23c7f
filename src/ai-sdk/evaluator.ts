import type { AssizeClient, EvaluateAnswer, EvaluateRequest } from '../client/index.ts';
import { digestOf } from './digest.ts';
import { createHistory } from './history.ts';
import { AssizeStoppedError, isLetThrough } from './stopped-error.ts';

export interface GuardOptions {
  client: AssizeClient;
  /**
   * The session of the conversation; default: one that the guard creates on first use. A server that makes a guard for each
   * request passes the conversation's session: what was evaluated and approved there before is found again.
   */
  sessionId?: string;
  /**
   * What happens to a held action: `stop` fails it at once and says which review it waits for, `wait` continues when a
   * reviewer has decided. Default `stop`. The same action again uses the approval, if there is one by then.
   */
  onHold?: 'stop' | 'wait';
  /** Longest wait for a reviewer, in milliseconds; default: as long as the review lasts. */
  waitMs?: number;
  /** Called for everything that continues with a warning. */
  onWarn?: (answer: EvaluateAnswer, input: EvaluateRequest['input']) => void;
}

type Input = EvaluateRequest['input'];
type Signal = AbortSignal | undefined;

/** All methods reject with AssizeStoppedError for what is stopped, and with another error when it cannot be decided. */
export interface Evaluator {
  /** Resolves with the id of the evaluation when the action may be done. */
  action(input: Input, signal: Signal): Promise<string>;
  /** Resolves when the model may see the content. Content that passed before is not evaluated again. */
  content(content: unknown, input: Input, signal: Signal): Promise<void>;
  /**
   * Resolves when the model may see what the action returned. `content` is the message in which the model will see it,
   * null where that is not known.
   */
  result(
    result: { of: string; status: 'OK' | 'FAILED'; input: Input; content: unknown },
    signal: Signal,
  ): Promise<void>;
}

export function createEvaluator({ client, sessionId, onHold, waitMs, onWarn }: GuardOptions): Evaluator {
  const history = createHistory(client, sessionId ?? null);
  let opened: Promise<string> | undefined;
  const session = async () => {
    if (sessionId !== undefined) return sessionId;
    opened ??= client.sessions.create().then(({ id }) => id);
    // The next evaluation tries again to create a session that could not be created.
    return opened.catch((error) => {
      opened = undefined;
      throw error;
    });
  };

  function unlessStopped(answer: EvaluateAnswer, input: Input): EvaluateAnswer {
    if (!isLetThrough(answer)) throw new AssizeStoppedError(answer);
    if (answer.enforcementAction === 'WARN') onWarn?.(answer, input);
    return answer;
  }

  return {
    async action(input, signal) {
      const action = `action-${await digestOf(input)}`;
      const reviewRequestId = await history.reviewOf(action);
      const request = {
        input,
        sessionId: await session(),
        correlationId: action,
        ...(reviewRequestId !== null && { reviewRequestId }),
      };
      const wait = onHold === 'wait' ? { ...(waitMs !== undefined && { waitMs }) } : null;
      const answer = wait
        ? await client.evaluateAndWait(request, { signal, ...wait })
        : await client.evaluate(request, { signal });
      // A rejection holds for the conversation: asking again would open a new review each time.
      const rejected = answer.approval?.reason === 'rejected' ? answer.approval.reviewRequestId : null;
      history.hold(action, answer.reviewRequestId ?? rejected);
      return unlessStopped(answer, input).evaluationRunId;
    },

    async content(content, input, signal) {
      const correlationId = `content-${await digestOf(content)}`;
      if (await history.hasPassed(correlationId)) return;
      const request = { phase: 'PROMPT', input, sessionId: await session(), correlationId } as const;
      unlessStopped(await client.evaluate(request, { signal }), input);
      history.pass(correlationId);
    },

    async result({ of: resultOf, status, input, content }, signal) {
      const correlationId = content === null ? undefined : `content-${await digestOf(content)}`;
      const request = { phase: 'RESULT', resultOf, status, input } as const;
      const answer = await client.evaluate(
        { ...request, ...(correlationId !== undefined && { correlationId }) },
        { signal },
      );
      unlessStopped(answer, input);
      if (correlationId !== undefined) history.pass(correlationId);
    },
  };
}
