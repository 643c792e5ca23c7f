import type { NewEvaluation } from '../../evaluate/evaluation.ts';
import type { Loaded } from '../../evaluate/port.ts';
import type { TreeCounts } from '../../evaluate/session.ts';
import { rootIdOf } from '../../evaluate/session-places.ts';
import { dayMs } from '../../schemas/durations.ts';
import type { GrantRows } from './grants.ts';
import type { ReviewRows } from './review-rows.ts';
import type { SessionState } from './session-state.ts';

/** Without a session, nothing ends a rejection: it holds as long as a session that names no expiry. */
const rejectedForMs = dayMs;

/** The reviews and grants that an action has to do with. */
export function loadHeld(
  { reviews, grants }: { reviews: ReviewRows; grants: GrantRows },
  integrationRow: number,
  { session, tree }: { session: SessionState | null; tree: TreeCounts | null },
  evaluation: NewEvaluation,
): Pick<Loaded, 'pending' | 'grants' | 'rejection'> {
  const { needs, session: asked, tool, inputHash } = evaluation;
  const rejection = findRejection(reviews, integrationRow, { session, tree }, evaluation);
  // A session without a held action has no review. Held prompts are counted with all other records.
  const hasReviews = session ? session.reviewCount + session.otherCount > 0 : asked === null;
  if (!needs.pendingReview || !hasReviews) return { pending: null, grants: [], rejection };
  const action = { integrationRow, sessionRow: session?.row.id ?? null, tool, inputHash: inputHash() };
  return {
    pending: reviews.findPending(action),
    grants: session ? grants.ofSession(session.row.id) : [],
    rejection,
  };
}

/** Most sessions have no rejection: their actions are not hashed for one. */
function findRejection(
  reviews: ReviewRows,
  integrationRow: number,
  { session, tree }: { session: SessionState | null; tree: TreeCounts | null },
  { needs, session: asked, tool, phase, rejectionHash, at }: NewEvaluation,
): Loaded['rejection'] {
  if (phase === 'RESULT') return null;
  const opens = asked && 'open' in asked ? asked.open : null;
  const own = session ?? opens;
  const mayBe = own ? ((tree ?? session)?.rejectionCount ?? 0) > 0 : needs.pendingReview;
  if (!mayBe) return null;
  const rootId = own && rootIdOf(own);
  return reviews.findRejection({
    integrationRow,
    rootId,
    tool,
    rejectionHash: rejectionHash(),
    since: at - rejectedForMs,
  });
}
