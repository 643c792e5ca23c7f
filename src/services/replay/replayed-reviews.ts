import type { Loaded } from '../../evaluate/port.ts';
import { letsThrough } from '../../schemas/decisions.ts';
import type { NamedThen, ReplayRow } from '../../store/replay.ts';
import type { NewEvaluation } from '../../store/store.ts';
import type { ReplayedReview, ReplayedSession } from './replayed-sessions.ts';

/** Of those that are of no session. */
const mostKept = 10_000;

/** What the reviews of a replay show. Whoever decides them decides as it was recorded. */
export class ReplayedReviews {
  readonly #ofNone = new Map<string, ReplayedReview>();

  #of(session: ReplayedSession | null): Map<string, ReplayedReview> {
    return session?.reviews ?? this.#ofNone;
  }

  /** Of the action that it holds. */
  keep(id: string, session: ReplayedSession | null, review: ReplayedReview): void {
    const kept = this.#of(session);
    kept.set(id, review);
    const [oldest] = kept.size > mostKept ? kept.keys() : [];
    if (oldest !== undefined) kept.delete(oldest);
  }

  has(id: string, session: ReplayedSession | null): boolean {
    return this.#of(session).has(id);
  }

  /** As an evaluation found it; null when nothing is held for it in the replay. */
  named(
    { id, status, isSame }: NamedThen,
    session: ReplayedSession | null,
    evaluation: NewEvaluation,
  ): Loaded['review'] {
    const violations = this.#of(session).get(id)?.violations;
    if (!violations) return null;
    return {
      id,
      status: status === 'EXPIRED' ? 'PENDING' : status,
      sessionId: session?.id ?? null,
      tool: evaluation.tool,
      inputHash: isSame ? evaluation.inputHash() : '',
      violations,
      comment: null,
      decidedAt: null,
      // Whatever the clock says, it is as it was.
      expiresAt: status === 'EXPIRED' ? 0 : Number.MAX_SAFE_INTEGER,
      endsWithSession: false,
      expirySeconds: 0,
    };
  }
}

/** Whether the record of grants has to be asked. */
export const mayHaveUsedGrants = ({ reviewId, enforcementAction }: ReplayRow): boolean =>
  reviewId !== null && letsThrough(enforcementAction);

/** In old files, an approval that was used is known by the review that the evaluation shows. */
export function namedIn({ named, reviewId, enforcementAction }: ReplayRow): NamedThen | null {
  if (named !== null) return JSON.parse(named) as NamedThen;
  if (reviewId === null || !letsThrough(enforcementAction)) return null;
  return { id: reviewId, status: 'APPROVED', isSame: true };
}
