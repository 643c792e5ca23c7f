import type { SessionStatus } from '../features/sessions/schema.ts';
import type { ParentRefusal } from '../features/sessions/store.ts';
import type { CounterCells, CounterScope } from '../schemas/counter-cells.ts';
import type { OpenGrant } from '../schemas/review-terms.ts';
import type { SessionContext } from '../schemas/session-context.ts';
import type { WrittenReviewStatus } from '../store/reviews.ts';
import type { ScopeCells, UncountedScope } from './counters/counters.ts';
import type {
  ActionReviews,
  NamedReview,
  NamedSession,
  NamedThen,
  PendingReview,
  Rejection,
  Verdict,
} from './evaluation.ts';
import type { Idempotent, StoredResponse } from './idempotency.ts';
import type { OverQuota, Usage } from './quotas.ts';
import type { SessionProgress, TreeCounts, WrittenStatus } from './session.ts';
import type { NewSession } from './session-places.ts';
import type { SightingRows } from './sightings.ts';

// The port between the decision and the two databases. In one transaction a store loads everything that an evaluation depends on
// (`Loaded`), calls `settle`, and writes what it returns (`Writes`).

/** A session above another one. */
export interface Ancestor
  extends Pick<SessionContext, 'dataTags' | 'labels' | 'monitoredLabels'>,
    WrittenStatus {
  /** Children that are not over. Only of a parent of a session to open; else 0. */
  readonly childCount: number;
  readonly sightings: Pick<SightingRows, 'isFull' | 'find'>;
}

/** The state that a store loads for an evaluation: all of one moment, and of the evaluation's integration only. */
export interface Loaded {
  /** Under the idempotency key; null when nothing is stored, and without a key. */
  stored: StoredResponse | null;
  /** Current revision of the integration's policies and settings; no evaluation has it when there is no such integration. */
  revision: number;
  /** The session that the evaluation names, or the one that its name or external id stands for; null when there is none. */
  session: SessionProgress | null;
  /** The action that a RESULT names; null when there is none. */
  action: { hasResult: boolean } | null;
  /** The review that the evaluation names; null when there is none. */
  review: (Omit<NamedReview, 'status'> & WrittenReviewStatus) | null;
  /** The newest undecided review of this action; null when there is none, or `needs.pendingReview` is false. */
  pending: (PendingReview & WrittenReviewStatus) | null;
  /** Grants of the session; empty when `needs.pendingReview` is false. */
  grants: readonly OpenGrant[];
  /** Last rejection of this action; see `ActionReviews`. */
  rejection: Rejection | null;
  /** Ancestors of the session, or of the session to open, the nearest first; empty without a parent. */
  ancestors: readonly Ancestor[];
  /** Counts of the tree that the session is in, or will be; null when it is alone in it. */
  tree: TreeCounts | null;
  /** Revisions of the evaluation's `delegators`, in their order: a number that no revision has for one that is not there. */
  delegatorRevisions: readonly number[];
  /** Sightings of the session; null without a session, and unless `needs.sightings`. */
  sightings: SightingRows | null;
  /** Null unless `needs.counters`. */
  counters: LoadedCounters | null;
  /** Usage of the integration. */
  usage: Usage;
}

/** The cells of counters in the scopes of an evaluation. */
export interface LoadedCounters {
  /** Null for the session where there is none yet. */
  of(scope: CounterScope): ScopeCells | null;
  /** The scopes with a record that was made before they had some of their counters, and these. */
  readonly uncounted: readonly { readonly scope: CounterScope; readonly counters: readonly string[] }[];
}

/** The changes to write for a recorded evaluation, besides its row and the progress of its session (`advance`). */
export interface Writes {
  verdict: Verdict;
  /** The session to open; null when the evaluation has none, or one that exists. */
  opens: NewSession | null;
  /** The name that its session has from now on. */
  names: NamedSession | null;
  /** Place among the actions of its session; null without a session, and for a PROMPT and a RESULT. */
  seq: number | null;
  /** The review that the record shows: the one that holds or rejected the action, or whose approval or grant it used. */
  reviewRequestId: string | null;
  /** Null when the evaluation names no review. */
  namedReview: NamedThen | null;
  /** Bytes to add to those of the day; 0 where no quota bounds them. */
  bytes: number;
  /**
   * For a response that let something through, which is stored as a `Permit`; else null. `inSession`: whether it rests on its
   * session, too. The response to a RESULT does not: results are taken after the end of the session.
   */
  permit: { readonly inSession: boolean } | null;
}

export type Settled =
  | { result: RecordResult & { kind: 'recorded' }; writes: Writes }
  | { result: Exclude<RecordResult, { kind: 'recorded' }>; writes: null };

export type Decide = (
  context: SessionContext,
  reviews: ActionReviews,
  counters: CounterCells,
  sightings: SightingRows | null,
) => Verdict;

export type RecordResult = Idempotent<
  | { kind: 'recorded'; response: string }
  /** Policies or settings have changed since they were loaded: load them and decide again. */
  | { kind: 'stale' }
  /** It was only to be decided: nothing was written. */
  | { kind: 'previewed' }
  | { kind: 'no_session' }
  /** It would open a session, and `mayOpen` is false. */
  | { kind: 'may_not_open' }
  | OverQuota
  | { kind: 'not_active'; status: SessionStatus }
  | { kind: 'no_review' }
  | { kind: 'no_action' }
  | { kind: 'other_entity' }
  /** The session that is joined has another parent than the one that was asked for, or none. */
  | { kind: 'other_parent' }
  /** The policies of these integrations have to decide, too. */
  | { kind: 'delegated'; integrationIds: readonly string[] }
  | ParentRefusal
  | { kind: 'has_result' }
  /** Counters are younger than the record of these scopes: count that first (`catchUp`), and record again. */
  | { kind: 'uncounted'; scopes: readonly UncountedScope[] }
>;
