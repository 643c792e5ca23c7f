import type { Loaded } from '../loaded-evaluation.ts';
import type { NewEvaluation } from '../new-evaluations.ts';
import type { GrantRows } from './grants.ts';
import type { ReviewRows } from './review-rows.ts';
import type { SessionState } from './session-state.ts';

/** The reviews and grants that an action has to do with which its policies may hold. */
export function loadHeld(
  { reviews, grants }: { reviews: ReviewRows; grants: GrantRows },
  integrationRow: number,
  session: SessionState | null,
  { needs, session: asked, tool, inputHash }: NewEvaluation,
): Pick<Loaded, 'pending' | 'grants' | 'wasRejected'> {
  // A session without a held action has no review. Held prompts are counted with all other records.
  const hasReviews = session ? session.reviewCount + session.otherCount > 0 : asked === null;
  if (!needs.pendingReview || !hasReviews) return { pending: null, grants: [], wasRejected: false };
  const action = { integrationRow, sessionRow: session?.row.id ?? null, tool, inputHash: inputHash() };
  const open = session ? grants.ofSession(session.row.id) : [];
  return {
    pending: reviews.findPending(action),
    grants: open,
    wasRejected: open.length > 0 && reviews.wasRejected(action),
  };
}
