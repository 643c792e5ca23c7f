import type { EvaluateResult } from '../schemas/evaluations.ts';

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
