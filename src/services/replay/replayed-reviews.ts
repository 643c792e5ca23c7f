import { type EnforcementAction, letsThrough, type Violation } from '../../schemas/decisions.ts';
import type { Loaded } from '../../store/loaded-evaluation.ts';
import type { NamedThen, ReplayRow } from '../../store/replay.ts';
import type { NewEvaluation } from '../../store/store.ts';
import type { ReplayedSession } from './replayed-sessions.ts';

type Shown = Map<string, readonly Violation[]>;

/** Of those that are of no session. */
const mostKept = 10_000;

/** What the reviews of a replay show. Whoever decides them decides as it was recorded. */
export class ReplayedReviews {
  readonly #ofNone: Shown = new Map();

  /** Of the action that it holds. */
  keep(
    id: string,
    session: ReplayedSession | null,
    violations: readonly Violation[],
    action: EnforcementAction,
  ): void {
    if (action !== 'APPROVAL_REQUIRED') return;
    const shown = session?.reviews ?? this.#ofNone;
    shown.set(id, violations);
    const [oldest] = shown.size > mostKept ? shown.keys() : [];
    if (oldest !== undefined) shown.delete(oldest);
  }

  has(id: string, session: ReplayedSession | null): boolean {
    return (session?.reviews ?? this.#ofNone).has(id);
  }

  /** As an evaluation found it; null when nothing is held for it in the replay. */
  named(
    { id, status, isSame }: NamedThen,
    session: ReplayedSession | null,
    evaluation: NewEvaluation,
  ): Loaded['review'] {
    const violations = (session?.reviews ?? this.#ofNone).get(id);
    if (!violations) return null;
    return {
      id,
      status: status === 'EXPIRED' ? 'PENDING' : status,
      sessionId: session?.id ?? null,
      tool: evaluation.tool,
      inputHash: isSame ? evaluation.inputHash() : '',
      violations,
      comment: null,
      // Whatever the clock says, it is as it was.
      expiresAt: status === 'EXPIRED' ? 0 : Number.MAX_SAFE_INTEGER,
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
  if (reviewId === null || enforcementAction === 'APPROVAL_REQUIRED') return null;
  return { id: reviewId, status: 'APPROVED', isSame: true };
}
