import type { CounterCells } from '../schemas/counter-cells.ts';
import { letsThrough } from '../schemas/decisions.ts';
import type { SessionContext } from '../schemas/session-context.ts';
import { placeOf } from './counters.ts';
import type { NewSession } from './evaluation-sessions.ts';
import type { RecordResult } from './evaluations.ts';
import { isOpenAt } from './grants.ts';
import type { Ancestor, Loaded, LoadedCounters } from './loaded-evaluation.ts';
import type { NamedSession, NamedThen, NewEvaluation } from './new-evaluations.ts';
import { byteLengths, fullQueue, overQuota } from './quotas.ts';
import { firstRefusal } from './record-refusals.ts';
import { reviewStatusAt } from './review-status.ts';
import { newContext, type SessionProgress } from './session-progress.ts';
import { contextInTree } from './session-trees.ts';
import type { SightingRows } from './sightings.ts';
import { bytesOf } from './stored-bytes.ts';
import type { ActionReviews, NamedReview, Verdict } from './verdicts.ts';

// What recording an evaluation decides, for every backend. Pure: a store loads, calls `settle`, and applies what it returns,
// all in one step.

/** What a store writes for a recorded evaluation, besides the evaluation itself and the progress of its session (`advance`). */
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
  /** What it adds to the bytes of the day; 0 where no quota bounds them. */
  bytes: number;
  /**
   * Of a response that let something through, which is stored as a `Permit`; else null. `inSession`: whether it rests on its
   * session, too. That of a RESULT does not: results are taken after the end of the session.
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

/** Decides and says what to write, or why nothing is. Pure, except for `decide`, which it calls at most once. */
export function settle(loaded: Loaded, evaluation: NewEvaluation, decide: Decide): Settled {
  const refusal = firstRefusal(loaded, evaluation);
  if (refusal) return { result: refusal, writes: null };
  const { at, session: asked } = evaluation;
  const opens = asked && 'open' in asked && !loaded.session ? asked.open : null;
  const own = loaded.session ?? newContext(opens ?? sessionless(at));
  const uncounted = uncountedScopes(loaded, evaluation, own);
  if (uncounted) return { result: uncounted, writes: null };
  const reviews = reviewsAt(loaded, evaluation, (loaded.session ?? opens)?.expiresAt ?? null);
  const { ancestors, tree, counters } = loaded;
  const verdict = decide(
    tree ? contextInTree(own, ancestors, tree) : own,
    reviews,
    counters ? cellsOf(counters) : noCells,
    sightingsOf(loaded, evaluation, opens),
  );
  checkReviews(verdict, reviews);
  const bytes = quotaBytes(evaluation, verdict, opens);
  const added = { sessions: opens ? 1 : 0, bytes };
  const over = overQuota(evaluation.quotas, loaded.usage, added);
  if (over) return { result: over, writes: null };
  return {
    result: { kind: 'recorded', response: verdict.response },
    writes: {
      verdict,
      opens,
      names: asked && 'name' in asked ? asked : null,
      seq: placeAmongActions(evaluation, loaded.session, opens),
      reviewRequestId: shownReview(verdict, reviews, evaluation),
      namedReview: reviews.named && namedThen(reviews.named, evaluation, own.id || null),
      bytes,
      permit: letsThrough(verdict.enforcementAction) ? { inSession: evaluation.phase !== 'RESULT' } : null,
    },
  };
}

function uncountedScopes(
  { counters }: Loaded,
  { integrationId }: NewEvaluation,
  own: SessionContext,
): (RecordResult & { kind: 'uncounted' }) | null {
  if (!counters || counters.uncounted.length === 0) return null;
  const scopes = counters.uncounted.map((one) => ({
    place: placeOf(one.scope, integrationId, own),
    counters: one.counters,
  }));
  return { kind: 'uncounted', scopes };
}

/** Those of a session that is opened are its parents' alone. */
function sightingsOf(
  { sightings, ancestors }: Loaded,
  { needs }: NewEvaluation,
  opens: NewSession | null,
): SightingRows | null {
  return sightings ?? (opens && needs.sightings ? newSightings(ancestors) : null);
}

const quotaBytes = (evaluation: NewEvaluation, verdict: Verdict, opens: NewSession | null): number =>
  evaluation.quotas.maxBytesPerDay === null
    ? 0
    : bytesOf(evaluation, verdict) + byteLengths([opens?.metadata ?? null]);

const placeAmongActions = (
  { phase }: NewEvaluation,
  session: SessionProgress | null,
  opens: NewSession | null,
): number | null => (phase === 'ACTION' && (session ?? opens) ? (session?.actionCount ?? 0) + 1 : null);

function shownReview(
  { reviewRequestId: holds, usesGrants, consumesReview }: Verdict,
  { grants }: ActionReviews,
  { reviewRequestId: named }: NewEvaluation,
): string | null {
  const granted = grants.find(({ id }) => id === usesGrants[0]);
  return holds ?? granted?.reviewRequestId ?? (consumesReview ? named : null);
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

function reviewsAt(
  { review, pending, grants, rejection, usage }: Loaded,
  { at, reviewLimits }: NewEvaluation,
  sessionExpiresAt: number | null,
): ActionReviews {
  return {
    sessionExpiresAt,
    grants: grants.filter(isOpenAt(at)),
    rejection,
    findFullQueue: () => fullQueue(reviewLimits, usage),
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
export const sessionless = (startedAt: number) => ({
  id: '',
  entityId: null,
  metadata: '{}',
  startedAt,
  place: null,
});
