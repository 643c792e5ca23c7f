import type { ParentRefusal } from '../features/sessions/store.ts';
import type { CounterCells } from '../schemas/counter-cells.ts';
import { letsThrough } from '../schemas/decisions.ts';
import type { SessionContext } from '../schemas/session-context.ts';
import { isOpenAt, reviewStatusAt } from '../store/reviews.ts';

import { placeOf } from './counters/counters.ts';
import type {
  ActionReviews,
  HeldContent,
  NamedReview,
  NamedThen,
  NewEvaluation,
  Verdict,
} from './evaluation.ts';
import { respondAgain } from './idempotency.ts';
import type { Ancestor, Decide, Loaded, LoadedCounters, RecordResult, Settled } from './port.ts';
import { byteLengths, fullQueue, overQuota } from './quotas.ts';
import { contextInTree, newContext, type SessionProgress, statusAt, takesResultsAt } from './session.ts';
import { mostChildren, type NewSession } from './session-places.ts';
import type { SightingRows } from './sightings.ts';

// Decides what recording an evaluation changes, for both databases.

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
  if (evaluation.previews) return { result: { kind: 'previewed' }, writes: null };
  const bytes = quotaBytes(loaded, evaluation, verdict, opens);
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

/** A session that is opened has the sightings of its parents alone. */
function sightingsOf(
  { sightings, ancestors }: Loaded,
  { needs }: NewEvaluation,
  opens: NewSession | null,
): SightingRows | null {
  return sightings ?? (opens && needs.sightings ? newSightings(ancestors) : null);
}

const quotaBytes = (
  { usage }: Loaded,
  evaluation: NewEvaluation,
  verdict: Verdict,
  opens: NewSession | null,
): number =>
  evaluation.quotas.maxBytesPerDay === null
    ? 0
    : byteLengths([...storedTexts(evaluation, verdict), opens?.metadata ?? null], usage);

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
    grants: grants.length === 0 ? grants : grants.filter(isOpenAt(at)),
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

/** The session of an evaluation without one: nothing has happened in it yet. */
export const sessionless = (startedAt: number) => ({
  id: '',
  entityId: null,
  metadata: '{}',
  startedAt,
  place: null,
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
  { session: asked, mayOpen, at, resultOf, provenEntityId }: NewEvaluation,
): Refused | null {
  if (!asked) return null;
  if (session && provenEntityId !== null && session.entityId !== provenEntityId)
    return { kind: 'other_entity' };
  if (!session && !('id' in asked) && !mayOpen) return { kind: 'may_not_open' };
  if ('id' in asked) {
    if (!session) return { kind: 'no_session' };
    const status = statusAt(session, at);
    if (status === 'ACTIVE' || (resultOf !== null && takesResultsAt(session, at))) return null;
    return { kind: 'not_active', status };
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
  return refusalByParent(ancestors[0] ?? null, opens, at);
}

/** Why the session cannot be opened below its parent; null when it can. */
export function refusalByParent(
  parent: Ancestor | null,
  { continuesEnded }: Pick<NewSession, 'continuesEnded'>,
  at: number,
): ParentRefusal | null {
  const status = parent ? statusAt(parent, at) : 'EXPIRED';
  if (status !== 'ACTIVE' && !continuesEnded) return { kind: 'parent_not_active', status };
  return (parent?.childCount ?? 0) < mostChildren ? null : { kind: 'too_many_children' };
}

/** The texts that are stored of an evaluation and depend on what was sent. */
function storedTexts(
  { input, targetKey, targetMetadata, correlationId, detections }: NewEvaluation,
  { violations, review, heldAgain }: Pick<Verdict, 'violations' | 'review' | 'heldAgain'>,
): (string | null)[] {
  return [
    input,
    targetKey,
    targetMetadata,
    correlationId,
    detections,
    violations.length > 0 ? JSON.stringify(violations) : null,
    ...heldTexts((review ?? heldAgain)?.content),
  ];
}

const heldTexts = (content: HeldContent | undefined): (string | null)[] =>
  content ? [content.input, content.targetKey, content.targetMetadata, content.callbackUrl] : [];
