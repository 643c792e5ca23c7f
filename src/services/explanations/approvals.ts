import { type EnforcementAction, letsThrough } from '../../schemas/decisions.ts';
import type { Explanation } from '../../schemas/explanations.ts';
import type { Store, StoredEvaluation, StoredReview, WholeEvaluation } from '../../store/store.ts';
import { isoTimeOrNull } from '../times.ts';

type Approvals = Pick<Explanation, 'review' | 'grants'>;

/** The decisions of people about an evaluation: the review of it, and the grants of earlier approvals that it used. */
export function createApprovals({ store, now }: { store: Store; now: () => number }) {
  return {
    async of(
      { reviewRequestId, enforcementAction, grants }: WholeEvaluation,
      earlier: readonly StoredEvaluation[],
      nameOf: (policyId: string) => string,
    ): Promise<Approvals> {
      const find = (id: string) => store.reviews.find(null, id, now());
      const heldBy = (id: string): number | null =>
        earlier.find((one) => one.reviewRequestId === id && one.enforcementAction === 'APPROVAL_REQUIRED')
          ?.seq ?? null;
      const granted = [];
      for (const { id, reviewRequestId, policyId, ruleId } of grants) {
        const review = await find(reviewRequestId);
        const rule = `${nameOf(policyId)}/${ruleId}`;
        granted.push({
          grantId: id,
          reviewRequestId,
          rule,
          action: heldBy(reviewRequestId),
          ...decided(review),
        });
      }
      const review = reviewRequestId === null || granted.length > 0 ? null : await find(reviewRequestId);
      return {
        grants: granted,
        review: review && {
          reviewRequestId: review.id,
          role: roleOf(enforcementAction),
          status: review.status,
          action: heldBy(review.id),
          ...decided(review),
        },
      };
    },
  };
}

function roleOf(action: EnforcementAction): 'HOLDS' | 'APPROVES' | 'REJECTS' {
  if (action === 'APPROVAL_REQUIRED') return 'HOLDS';
  return letsThrough(action) ? 'APPROVES' : 'REJECTS';
}

const decided = (review: StoredReview | null) => ({
  decidedBy: review?.decidedByName ?? review?.decidedBy ?? null,
  decidedAt: isoTimeOrNull(review?.decidedAt ?? null),
});
