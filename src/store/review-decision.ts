import type { RecordedDecision } from '../record/review-entry.ts';
import type { GrantOffer } from '../schemas/grants.ts';
import { findingsHolding, type GivenApproval, withApproval } from './review-approvals.ts';
import { reviewStatusAt } from './review-status.ts';
import type { ReviewDecision, StoredReview } from './reviews.ts';
import { offersOf, type ReviewFields, termsOf, toStoredReview } from './stored-reviews.ts';

// What a decision about a review does, for every backend. Pure: a store loads, calls `settleDecision`, and applies what it
// returns, all in one step.

export interface LoadedReview extends ReviewFields {
  expirySeconds: number;
  /** Null without a session. */
  sessionExpiresAt: number | null;
}

type RefusedDecision =
  | 'other_evaluation'
  | 'own_request'
  | 'not_in_group'
  | 'already_approved'
  | { notPending: StoredReview };

export type SettledDecision =
  | { kind: 'refused'; result: RefusedDecision }
  | {
      kind: 'kept' | 'decided';
      /** To keep in place of one that the operator gave before; null for a rejection. */
      approval: GivenApproval | null;
      /** The entry of the record, without what a rejection takes back; its `expiresAt` is when the review ends from now on. */
      entry: RecordedDecision;
      /** What the approval gives from now on; and for a rejection, what is taken back. */
      offers: readonly GrantOffer[];
    };

/** Whether it matters that who decides may have requested the action. */
export const asksForRequester = (
  review: Pick<ReviewFields, 'terms'>,
  { status, requester, fourEyes }: ReviewDecision,
): boolean => status === 'APPROVED' && !!requester && (!!fourEyes || termsOf(review).notRequester);

export function settleDecision(
  review: LoadedReview,
  given: readonly GivenApproval[],
  mayHaveRequested: boolean,
  decision: ReviewDecision,
): SettledDecision {
  const { status, decidedBy, comment, now, groups = [], once = false } = decision;
  const refused = (result: RefusedDecision): SettledDecision => ({ kind: 'refused', result });
  if (reviewStatusAt(review, now) !== 'PENDING') return refused({ notPending: toStoredReview(review, now) });
  const seen = decision.evaluationRunId?.toLowerCase() ?? review.evaluationRunId;
  if (seen !== review.evaluationRunId) return refused('other_evaluation');
  const entry = { id: review.id, at: now, evaluationId: review.evaluationRunId, decidedBy, comment };
  const expiresAt = Math.min(
    now + review.expirySeconds * 1_000,
    review.sessionExpiresAt ?? Number.POSITIVE_INFINITY,
  );
  const offers = offersOf(review);
  if (status === 'REJECTED')
    return { kind: 'decided', approval: null, entry: { ...entry, status, expiresAt }, offers };
  if (mayHaveRequested && asksForRequester(review, decision)) return refused('own_request');
  const { violations } = toStoredReview(review, now);
  const entityId = decision.requester?.entityId ?? null;
  const approval = { operatorId: decidedBy, entityId, groups, findings: findingsHolding(violations), once };
  const result = withApproval(termsOf(review), given, approval);
  if (result === 'not_in_group' || result === 'already_approved') return refused(result);
  if (result === 'more_needed') {
    const part = { ...entry, status: 'APPROVED_IN_PART' as const, expiresAt: review.expiresAt };
    return { kind: 'kept', approval, entry: part, offers: [] };
  }
  const granted = result === 'approved_once' || review.sessionId === null ? [] : offers;
  return {
    kind: 'decided',
    approval,
    entry: { ...entry, status, expiresAt, grants: granted },
    offers: granted,
  };
}
