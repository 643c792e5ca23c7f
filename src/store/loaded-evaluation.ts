import type { CounterScope } from '../schemas/counter-cells.ts';
import type { OpenGrant } from '../schemas/grants.ts';
import type { SessionContext } from '../schemas/session-context.ts';
import type { ScopeCells } from './counters.ts';
import type { StoredResponse } from './idempotency.ts';
import type { Usage } from './quotas.ts';
import type { WrittenReviewStatus } from './review-status.ts';
import type { SessionProgress, WrittenStatus } from './session-progress.ts';
import type { TreeCounts } from './session-trees.ts';
import type { SightingRows } from './sightings.ts';
import type { NamedReview, PendingReview, Rejection } from './verdicts.ts';

/** A session above another one. */
export interface Ancestor
  extends Pick<SessionContext, 'dataTags' | 'labels' | 'monitoredLabels'>,
    WrittenStatus {
  /** Children that are not over. Only of a parent of a session to open; else 0. */
  readonly childCount: number;
  readonly sightings: Pick<SightingRows, 'isFull' | 'find'>;
}

/** What a store loads for an evaluation: all of one moment, and of the evaluation's integration only. */
export interface Loaded {
  /** Under the idempotency key; null when nothing is stored, and without a key. */
  stored: StoredResponse | null;
  /** Of what decides for the integration now; differs from any that an evaluation has when there is no such integration. */
  revision: number;
  /** The session that the evaluation names, or the one that its name or external id stands for; null when there is none. */
  session: SessionProgress | null;
  /** The action that a RESULT names; null when there is none. */
  action: { hasResult: boolean } | null;
  /** The review that the evaluation names; null when there is none. */
  review: (Omit<NamedReview, 'status'> & WrittenReviewStatus) | null;
  /** The newest undecided review of this action; null when there is none, or `needs.pendingReview` is false. */
  pending: (PendingReview & WrittenReviewStatus) | null;
  /** Of the session; empty when `needs.pendingReview` is false. */
  grants: readonly OpenGrant[];
  /** Of this action; see `ActionReviews`. */
  rejection: Rejection | null;
  /** Of the session, or of the one to open, the nearest first; empty without a parent. */
  ancestors: readonly Ancestor[];
  /** Of the tree that the session is in, or will be; null when it is alone in it. */
  tree: TreeCounts | null;
  /** Of the evaluation's `delegators`, in their order: a number that no revision has for one that is not there. */
  delegatorRevisions: readonly number[];
  /** Of the session; null without one, and unless `needs.sightings`. */
  sightings: SightingRows | null;
  /** Null unless `needs.counters`. */
  counters: LoadedCounters | null;
  /** Of the integration. */
  usage: Usage;
}

/** What counters keep, in the scopes of an evaluation. */
export interface LoadedCounters {
  /** Null for the session where there is none yet. */
  of(scope: CounterScope): ScopeCells | null;
  /** The scopes with a record that was made before they had some of their counters, and these. */
  readonly uncounted: readonly { readonly scope: CounterScope; readonly counters: readonly string[] }[];
}
