import type { EvaluateAnswer } from '../client/index.ts';

/** An action that may not be done, or not yet; or content that may not be shown. Its message is for the model that reads it. */
export class AssizeStoppedError extends Error {
  readonly answer: EvaluateAnswer;

  constructor(answer: EvaluateAnswer) {
    super(messageOf(answer));
    this.name = 'AssizeStoppedError';
    this.answer = answer;
  }
}

function messageOf({ enforcementAction, violations, reviewRequestId, approval }: EvaluateAnswer): string {
  const reasons = violations.map(({ message }) => message).join('; ');
  if (approval?.reason === 'rejected') {
    const said = approval.comment ? `, who says: ${approval.comment}` : '';
    return `rejected by a reviewer${said} (${reasons})`;
  }
  if (enforcementAction !== 'APPROVAL_REQUIRED' || reviewRequestId === null)
    return `blocked by policy: ${reasons}`;
  return `waiting for approval (review ${reviewRequestId}), not done yet: ${reasons}`;
}

export const isLetThrough = ({ enforcementAction }: Pick<EvaluateAnswer, 'enforcementAction'>): boolean =>
  enforcementAction === 'ALLOW' || enforcementAction === 'WARN';
