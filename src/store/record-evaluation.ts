import type { CounterCells, CounterScope } from '../schemas/counter-cells.ts';
import { letsThrough } from '../schemas/decisions.ts';
import type { OpenGrant } from '../schemas/grants.ts';
import type { SessionContext } from '../schemas/session-context.ts';
import { placeOf, type ScopeCells } from './counters.ts';
import type { NewSession, ParentRefusal } from './evaluation-sessions.ts';
import type { RecordResult } from './evaluations.ts';
import { isOpenAt } from './grants.ts';
import { respondAgain, type StoredResponse } from './idempotency.ts';
import type { NamedSession, NamedThen, NewEvaluation } from './new-evaluations.ts';
import { byteLengths, overQuota, type Usage } from './quotas.ts';
import { reviewStatusAt, type WrittenReviewStatus } from './review-status.ts';
import { mostChildren } from './session-places.ts';
import { newContext, type SessionProgress, statusAt, type WrittenStatus } from './session-progress.ts';
import { contextInTree, type TreeCounts } from './session-trees.ts';
import type { SightingRows } from './sightings.ts';
import { bytesOf } from './stored-bytes.ts';
import type { ActionReviews, NamedReview, PendingReview, Verdict } from './verdicts.ts';

// What recording an evaluation decides, for every backend. Pure: a store loads, calls `settle`, and applies what it returns,
// all in one step.

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
  /** Whether this action was rejected in its session; false where there are no grants. */
  wasRejected: boolean;
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

/** What a store writes for a recorded evaluation, besides the evaluation itself and the progress of its session (`advance`). */
export interface Writes {
  verdict: Verdict;
  /** The session to open; null when the evaluation has none, or one that exists. */
  opens: NewSession | null;
  /** The name that its session has from now on. */
  names: NamedSession | null;
  /** Place among the actions of its session; null without a session, and for a PROMPT and a RESULT. */
  seq: number | null;
  /** The review that the record shows: the one that holds the action, or the one whose approval or grant it used. */
  reviewRequestId: string | null;
  /** Null when the evaluation names no review. */
  namedReview: NamedThen | null;
  /** What it adds to the bytes of the day; 0 where no quota bounds them. */
  bytes: number;
  /** Whether the stored response is a `Permit`: it rests on the session and the policies. */
  permits: boolean;
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

/** Decides and says what to write, or why nothing is. Pure, except for `decide`, which it calls at most once. */
export function settle(loaded: Loaded, evaluation: NewEvaluation, decide: Decide): Settled {
  const result = firstRefusal(loaded, evaluation);
  if (result) return { result, writes: null };
  const { at, session: asked, phase } = evaluation;
  const { session } = loaded;
  const opens = asked && 'open' in asked && !session ? asked.open : null;
  const reviews = reviewsAt(loaded, at);
  const own = session ?? newContext(opens ?? sessionless(at));
  const { ancestors, tree } = loaded;
  const context = tree ? contextInTree(own, ancestors, tree) : own;
  const uncounted = loaded.counters?.uncounted ?? [];
  if (uncounted.length > 0) {
    const scopes = uncounted.map((one) => ({
      place: placeOf(one.scope, evaluation.integrationId, own),
      counters: one.counters,
    }));
    return { result: { kind: 'uncounted', scopes }, writes: null };
  }
  const counters = loaded.counters ? cellsOf(loaded.counters) : noCells;
  const isNew = opens !== null && evaluation.needs.sightings;
  const verdict = decide(
    context,
    reviews,
    counters,
    loaded.sightings ?? (isNew ? newSightings(ancestors) : null),
  );
  checkReviews(verdict, reviews);
  const { quotas } = evaluation;
  const bytes =
    quotas.maxBytesPerDay === null
      ? 0
      : bytesOf(evaluation, verdict) + byteLengths([opens?.metadata ?? null]);
  const added = { reviews: verdict.review ? 1 : 0, sessions: opens ? 1 : 0, bytes };
  const over = overQuota(quotas, loaded.usage, added);
  if (over) return { result: over, writes: null };
  const countsAsAction = phase === 'ACTION' && (session ?? opens) !== null;
  const granted = reviews.grants.find(({ id }) => id === verdict.usesGrants[0]) ?? null;
  return {
    result: { kind: 'recorded', response: verdict.response },
    writes: {
      verdict,
      opens,
      names: asked && 'name' in asked ? asked : null,
      seq: countsAsAction ? (session?.actionCount ?? 0) + 1 : null,
      reviewRequestId:
        verdict.reviewRequestId ??
        granted?.reviewRequestId ??
        (verdict.consumesReview ? evaluation.reviewRequestId : null),
      namedReview: reviews.named && namedThen(reviews.named, evaluation, own.id || null),
      bytes,
      permits: letsThrough(verdict.enforcementAction),
    },
  };
}

const namedThen = (
  { id, status, sessionId, tool, inputHash }: NamedReview,
  evaluation: NewEvaluation,
  session: string | null,
): NamedThen => ({
  id,
  status,
  isSame: sessionId === session && tool === evaluation.tool && inputHash === evaluation.inputHash(),
});

const noCells: CounterCells = { find: () => null };

const cellsOf = (counters: LoadedCounters): CounterCells => ({
  find: (counter, scope, name) => counters.of(scope)?.find(counter, name) ?? null,
});
const newSightings = (ancestors: readonly Ancestor[]): SightingRows => ({
  count: 0,
  isFull: false,
  find: () => [],
  inherited: ancestors.map(({ sightings }) => sightings),
});

type Refused = Exclude<RecordResult, { kind: 'recorded' }>;

/** The first reason for which nothing is recorded; null when there is none. */
function firstRefusal(loaded: Loaded, evaluation: NewEvaluation): Refused | null {
  const { stored, revision, action, review } = loaded;
  const { idempotency, policySet } = evaluation;
  const { delegators } = evaluation;
  if (revision !== evaluation.revision) return { kind: 'stale' };
  if (delegators.some((one, place) => one.revision !== loaded.delegatorRevisions[place]))
    return { kind: 'stale' };
  const earlier = idempotency && respondAgain(stored, idempotency, policySet.key);
  if (earlier) return earlier;
  const refused = refusalBySession(loaded.session, evaluation) ?? refusalByTree(loaded, evaluation);
  if (refused) return refused;
  if (evaluation.resultOf !== null) {
    if (!action) return { kind: 'no_action' };
    if (action.hasResult) return { kind: 'has_result' };
  }
  if (evaluation.reviewRequestId !== null && !review) return { kind: 'no_review' };
  return null;
}

function refusalBySession(
  session: SessionProgress | null,
  { session: asked, mayOpen, at }: NewEvaluation,
): Refused | null {
  if (!asked) return null;
  if (!session && !('id' in asked) && !mayOpen) return { kind: 'may_not_open' };
  if ('id' in asked) {
    if (!session) return { kind: 'no_session' };
    const status = statusAt(session, at);
    return status === 'ACTIVE' ? null : { kind: 'not_active', status };
  }
  const isOthers =
    'externalSessionId' in asked &&
    asked.entityId !== null &&
    session !== null &&
    session.entityId !== asked.entityId;
  return isOthers ? { kind: 'other_entity' } : null;
}

function refusalByTree({ session, ancestors }: Loaded, evaluation: NewEvaluation): Refused | null {
  const { session: asked, at, delegators } = evaluation;
  const opens = asked && 'open' in asked ? asked.open : null;
  if (session && opens?.place && session.place?.parentId !== opens.place.parentId)
    return { kind: 'other_parent' };
  const place = session ? session.place : (opens?.place ?? null);
  const integrationIds = place?.delegatedBy ?? [];
  const isDecided =
    integrationIds.length === delegators.length &&
    delegators.every(({ integrationId }) => integrationIds.includes(integrationId));
  if (!isDecided) return { kind: 'delegated', integrationIds };
  if (session || !opens?.place) return null;
  return refusalByParent(ancestors[0] ?? null, at);
}

/** Why a session cannot have another child now; null when it can. */
export function refusalByParent(parent: Ancestor | null, at: number): ParentRefusal | null {
  const status = parent ? statusAt(parent, at) : 'EXPIRED';
  if (status !== 'ACTIVE') return { kind: 'parent_not_active', status };
  return (parent?.childCount ?? 0) < mostChildren ? null : { kind: 'too_many_children' };
}

function reviewsAt({ review, pending, grants, wasRejected }: Loaded, at: number): ActionReviews {
  return {
    grants: grants.filter(isOpenAt(at)),
    wasRejected,
    named: review && { ...review, status: reviewStatusAt(review, at) },
    pending: pending && reviewStatusAt(pending, at) === 'PENDING' ? pending : null,
  };
}

/** A verdict that uses or keeps a review otherwise than its status allows is a bug, and must not be recorded. */
function checkReviews(
  { consumesReview, heldAgain, usesGrants }: Verdict,
  { named, pending, grants }: ActionReviews,
): void {
  if (!usesGrants.every((used) => grants.some(({ id }) => id === used)))
    throw new Error('a grant was used that is not open');
  if (consumesReview && named?.status !== 'APPROVED') {
    throw new Error('an approval was used that is not APPROVED');
  }
  const isPending =
    heldAgain === null ||
    heldAgain.id === pending?.id ||
    (heldAgain.id === named?.id && named.status === 'PENDING');
  if (!isPending) throw new Error('an action is held by a review that is not PENDING');
}

/** What an evaluation without a session sees: a session in which nothing has happened yet. */
/** What an evaluation without a session sees: an empty one. */
export const sessionless = (startedAt: number) => ({
  id: '',
  entityId: null,
  metadata: '{}',
  startedAt,
  place: null,
});
