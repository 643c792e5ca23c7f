import type { AssizeClient, EvaluateAnswer, EvaluateRequest } from '../client/index.ts';

export interface GuardOptions {
  client: AssizeClient;
  /** The session to judge in; default: one that the guard opens when it judges for the first time. */
  sessionId?: string;
  /**
   * What happens to a held action: `stop` fails it at once and says which review it waits for, `wait` goes on when a
   * reviewer has decided. Default `stop`. The same action again uses the approval, if there is one by then.
   */
  onHold?: 'stop' | 'wait';
  /** Longest wait for a reviewer, in milliseconds; default: as long as the review lasts. */
  waitMs?: number;
  /** Told of every action that goes on with a warning. */
  onWarn?: (answer: EvaluateAnswer, action: EvaluateRequest['input']) => void;
}

/** An action that may not be done, or not yet. Its message is written for the model that reads it. */
export class AssizeStoppedError extends Error {
  readonly answer: EvaluateAnswer;

  constructor(answer: EvaluateAnswer) {
    super(messageOf(answer));
    this.name = 'AssizeStoppedError';
    this.answer = answer;
  }
}

/** Resolves when the action may be done. Rejects with AssizeStoppedError, or with whatever kept it from being decided. */
export type Judge = (input: EvaluateRequest['input'], signal: AbortSignal | undefined) => Promise<void>;

export function createJudge({ client, sessionId, onHold, waitMs, onWarn }: GuardOptions): Judge {
  let opened: Promise<string> | undefined;
  const open = async () => {
    opened ??= client.sessions.create().then(({ id }) => id);
    // A session that could not be opened is tried for again by the next action.
    return opened.catch((error) => {
      opened = undefined;
      throw error;
    });
  };
  /** Reviews of held actions, by the action. */
  const reviews = new Map<string, string>();

  return async (input, signal) => {
    const action = JSON.stringify(input);
    const reviewRequestId = reviews.get(action);
    const request = {
      input,
      sessionId: sessionId ?? (await open()),
      ...(reviewRequestId !== undefined && { reviewRequestId }),
    };
    const wait = onHold === 'wait' ? { ...(waitMs !== undefined && { waitMs }) } : null;
    const answer = wait
      ? await client.evaluateAndWait(request, { signal, ...wait })
      : await client.evaluate(request, { signal });
    if (answer.reviewRequestId === null) reviews.delete(action);
    else reviews.set(action, answer.reviewRequestId);
    switch (answer.enforcementAction) {
      case 'WARN':
        onWarn?.(answer, input);
        return;
      case 'ALLOW':
        return;
      default:
        throw new AssizeStoppedError(answer);
    }
  };
}

function messageOf({ enforcementAction, violations, reviewRequestId }: EvaluateAnswer): string {
  const reasons = violations.map(({ message }) => message).join('; ');
  if (enforcementAction !== 'APPROVAL_REQUIRED') return `blocked by policy: ${reasons}`;
  return `waiting for approval (review ${reviewRequestId}), not done yet: ${reasons}`;
}
