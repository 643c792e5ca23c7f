import type { Decision } from '../engine/index.ts';
import type {
  ActionReviews,
  FullQueue,
  NewEvaluation,
  Rejection,
  StoredIntegration,
} from '../store/store.ts';
import { isOf, withComment } from './approvals.ts';

type Found = Decision['violations'][number];

/**
 * The rejection that blocks the action, whatever the policies say now; null when there is none. The last word counts: an approval
 * that a person gave to this very action after rejecting it (at another cost) lifts the rejection. With `afterRejection:
 * ASK_AGAIN`, only naming the rejected review gets its answer.
 */
export function blockingRejection(
  { named, rejection }: ActionReviews,
  { afterRejection }: Pick<StoredIntegration['settings'], 'afterRejection'>,
  sessionId: string | null,
  { tool, inputHash }: Pick<NewEvaluation, 'tool' | 'inputHash'>,
): Rejection | null {
  const isNamed = named !== null && isOf(named, { sessionId, tool, inputHash: inputHash() });
  if (isNamed && named.status === 'REJECTED')
    return { reviewRequestId: named.id, comment: named.comment, decidedAt: named.decidedAt ?? 0 };
  if (rejection === null || afterRejection === 'ASK_AGAIN') return null;
  const isLifted = isNamed && named.status === 'APPROVED' && (named.decidedAt ?? 0) > rejection.decidedAt;
  return isLifted ? null : rejection;
}

const finding = (rule: Pick<Found, 'ruleId' | 'ruleName' | 'reason' | 'message'>): Found => ({
  ...rule,
  policyId: '',
  policyName: '',
  policyVersion: 0,
  mode: 'ENFORCE',
  severity: 'HIGH',
  enforcementAction: 'BLOCK',
});

export const rejectedReason = 'rejected_by_reviewer';

export const rejectedFinding = ({ comment }: Rejection): Found =>
  finding({
    ruleId: 'rejected-by-reviewer',
    ruleName: 'Rejected by a reviewer',
    reason: rejectedReason,
    message: withComment('a reviewer rejected this action', comment),
  });

export const fullQueueReason = 'too_many_reviews';

export const fullQueueFinding = ({ scope, limit }: FullQueue): Found =>
  finding({
    ruleId: 'too-many-reviews',
    ruleName: 'Too many reviews',
    reason: fullQueueReason,
    message: `the action needs approval, and ${limit} reviews of this ${scope} are PENDING: no more can be opened until people decide`,
  });
