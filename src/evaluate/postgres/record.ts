import { lockNames } from '../../store/postgres/locks.ts';
import { noCounters } from '../counters/sets.ts';
import type { NewEvaluation, Verdict } from '../evaluation.ts';
import type { Ancestor, Decide, Loaded, RecordResult, Writes } from '../port.ts';
import type { TreeCounts } from '../session.ts';
import { type NewSession, rootIdOf } from '../session-places.ts';
import { settle } from '../settle.ts';
import type { SightingRows } from '../sightings.ts';
import type { Batch, Known } from './batch.ts';
import { LoadedScopes } from './counter-scopes.ts';
import { apply, type Job } from './jobs.ts';
import type { WrittenPolicySet } from './policy-sets.ts';
import { actionOf } from './review-rows.ts';
import { NotLoaded, orElse } from './rows.ts';
import type { SessionState } from './session-state.ts';

/** The lock of the name by which it names its session; null when it does not. */
const nameKey = ({ integrationId, session }: NewEvaluation): string | null => {
  if (session && 'name' in session) return lockNames.sessionName(integrationId, session.name);
  if (session && 'externalSessionId' in session)
    return lockNames.externalId(integrationId, session.externalSessionId);
  return null;
};

/** The session to open when there is none yet; null when the evaluation opens none. */
const opensOf = ({ session }: NewEvaluation) => (session && 'open' in session ? session.open : null);

/** The session that it most likely is of; null when that is not known, or there is none yet. */
function likelySession(evaluation: NewEvaluation, known: Known): string | null {
  const { session } = evaluation;
  if (session && 'id' in session) return session.id;
  const name = nameKey(evaluation);
  return name === null ? null : known.sessions.guess(name);
}

/** Records an evaluation. */
export function recordingJob(given: NewEvaluation, decide: Decide): Job<RecordResult> {
  const evaluation: NewEvaluation = {
    ...given,
    resultOf: given.resultOf?.toLowerCase() ?? null,
    reviewRequestId: given.reviewRequestId?.toLowerCase() ?? null,
    session: given.session && 'id' in given.session ? { id: given.session.id.toLowerCase() } : given.session,
  };
  const { integrationId, session: asked, policySet, idempotency } = evaluation;
  const opens = opensOf(evaluation);
  const name = nameKey(evaluation);
  const parentId = opens?.place?.parentId ?? null;

  return {
    sessionIds: [asked && 'id' in asked ? asked.id : null, parentId].filter((id) => id !== null),
    size: (evaluation.input?.length ?? 0) + (evaluation.targetMetadata?.length ?? 0) + 1_000,

    keys(known) {
      const id = likelySession(evaluation, known);
      const facts = id === null ? null : known.sessions.get(id);
      const keys = [facts?.rootId ?? id ?? opens?.place?.rootId ?? lockNames.chain(integrationId)];
      if (name !== null) keys.push(name);
      if (idempotency) keys.push(lockNames.idempotencyKey(integrationId, idempotency.key));
      return keys;
    },

    prepare(batch) {
      want(batch, evaluation);
    },

    run(batch) {
      const loaded = load(batch, evaluation);
      const { result, writes } = settle(loaded, evaluation, decide);
      // Rows that it asked for in vain may have been taken for missing.
      if (batch.isWanting) throw new NotLoaded();
      if (!writes) return result;
      const policySetOf = batch.policySets.ensure(policySet);
      if (policySetOf === null) return { kind: 'stale' };
      loaded.counters?.prepare(writes.verdict.counterWrites);
      if (loaded.session) prepareSession(batch, loaded.session, evaluation, writes);
      if (!loaded.session && !writes.opens) batch.chains.next(integrationId, null);
      apply(() => write(batch, evaluation, loaded, writes, policySetOf));
      return result;
    },
  };
}

/** Reads what the writes of a session need, so that nothing is missing then. Throws `NotLoaded`. */
function prepareSession(
  { sightings, trees }: Batch,
  session: SessionState,
  { at }: NewEvaluation,
  { verdict }: Writes,
): void {
  for (const { digest } of verdict.sightings.writes) {
    sightings.find(session, digest);
    trees.prepareLate(session, digest, at);
  }
  trees.gatherLate(session, at);
}

/** Says what recording an evaluation most likely reads, so that one query loads it for a whole batch. */
function want(batch: Batch, evaluation: NewEvaluation): void {
  const { integrationId, policySet, idempotency, quotas, at, resultOf, reviewRequestId } = evaluation;
  for (const id of [integrationId, ...evaluation.delegators.map((one) => one.integrationId)])
    batch.integrations.want(id);
  batch.keys.want(integrationId, idempotency);
  batch.policySets.want(policySet);
  if (resultOf !== null) batch.actions.want(resultOf);
  if (reviewRequestId !== null) batch.held.named.want(reviewRequestId);
  const id = likelySession(evaluation, batch.known);
  const opens = opensOf(evaluation);
  batch.usage.want(integrationId, quotas, at, opens !== null && id === null);
  wantSessions(batch, evaluation, id, opens?.place?.parentId ?? null);
  wantCounters(batch, evaluation, id, opens);
}

function wantSessions(
  batch: Batch,
  evaluation: NewEvaluation,
  id: string | null,
  parentId: string | null,
): void {
  const { integrationId, session: asked, needs } = evaluation;
  if (!asked) {
    batch.chains.want(integrationId);
    if (needs.pendingReview) batch.held.ofAction.want(...actionOf(null, evaluation));
  } else if ('name' in asked) batch.names.wantNamed(integrationId, asked.name);
  else if ('externalSessionId' in asked) batch.names.wantExternal(integrationId, asked.externalSessionId);
  if (id !== null) wantUpFrom(batch, id, id === parentId);
  if (parentId !== null) wantUpFrom(batch, parentId, true);
  if (id !== null && needs.recentActions) batch.sessions.actions.want(id);
}

/** A session and those above it; of those above it, also how many children they have. */
function wantUpFrom({ locks, known, trees }: Batch, lowest: string, isParent: boolean): void {
  locks.wantSession(lowest);
  for (const id of known.sessions.upFrom(lowest)) if (id !== lowest || isParent) trees.children.want(id);
}

function wantCounters(
  { known, trees, counters }: Batch,
  { integrationId, needs }: NewEvaluation,
  id: string | null,
  opens: NewSession | null,
): void {
  const facts = id === null ? null : known.sessions.get(id);
  const root = facts && facts.rootId !== id ? facts.rootId : (opens?.place?.rootId ?? null);
  if (root !== null) trees.counts.want(root);
  const entityId = facts?.entityId ?? opens?.entityId ?? null;
  for (const scope of new Set(needs.counters?.map(({ over }) => over)))
    if (scope === 'entity' || scope === 'integration') counters.want(integrationId, scope, entityId);
}

/** The state that `settle` asks for, as `write` changes it. */
interface LoadedStates extends Loaded {
  session: SessionState | null;
  counters: LoadedScopes | null;
  tree: TreeCounts | null;
}

/** A number that no revision has: nothing belongs to an integration that is not there. */
const noRevision = -1;

function findSession({ sessions, names }: Batch, { integrationId, session: asked, at }: NewEvaluation) {
  if (!asked) return null;
  if ('id' in asked) return sessions.find(integrationId, asked.id);
  if ('name' in asked) return names.findNamed(integrationId, asked, at);
  return 'externalSessionId' in asked ? names.findExternal(integrationId, asked, at) : null;
}

function load(batch: Batch, evaluation: NewEvaluation): LoadedStates {
  const { sessions, trees } = batch;
  const { integrationId, idempotency, at, resultOf, reviewRequestId, needs } = evaluation;
  const session = findSession(batch, evaluation);
  const name = nameKey(evaluation);
  if (session && name !== null) batch.known.sessions.setGuess(name, session.id);
  if (session && needs.recentActions) sessions.readRecentActions(session);
  if (session) trees.gather(session, at);
  const opens = session ? null : opensOf(evaluation);
  const ancestors = trees.ancestorsOf(session ? session.place : (opens?.place ?? null), !session, at);
  const tree = trees.countsOf(session, opens);
  const root = session ?? opens;
  const action = resultOf === null ? null : batch.actions.one(resultOf);
  const revisionOf = (id: string): number => batch.integrations.one(id)?.revision ?? noRevision;
  const revision = revisionOf(integrationId);
  return {
    stored: batch.keys.find(integrationId, idempotency, at),
    revision,
    session,
    action:
      action?.integrationId === integrationId && resultOf !== null
        ? { hasResult: action.hasResult || batch.withResult.has(resultOf) }
        : null,
    review: reviewRequestId === null ? null : batch.held.findNamed(integrationId, reviewRequestId),
    ...batch.held.load(session, tree, evaluation),
    // The counters of policies that are not in force any more must not become those of the integration.
    counters: revision === evaluation.revision ? loadCounters(batch, session, evaluation) : null,
    sightings: session && needs.sightings ? sightingsOf(batch, session, ancestors) : null,
    ancestors,
    tree,
    usage: {
      ...batch.usage.of(integrationId, at),
      pendingReviewsOfSession: () => (root ? batch.held.countPending(rootIdOf(root), at) : 0),
    },
    delegatorRevisions: evaluation.delegators.map((one) => revisionOf(one.integrationId)),
  };
}

function loadCounters(
  batch: Batch,
  session: SessionState | null,
  evaluation: NewEvaluation,
): LoadedScopes | null {
  const { integrationId, needs, delegators } = evaluation;
  const planned = needs.counters ?? noCounters;
  const own = session ?? opensOf(evaluation);
  const isInTree = delegators.length > 0 || planned.some(({ over }) => over === 'tree');
  const root = isInTree && own ? batch.trees.rootOf(own, integrationId, session) : null;
  const of = { integrationId, session, entityId: own?.entityId ?? null, root };
  const loaded = new LoadedScopes(batch.counters, batch.sessions, of, planned, evaluation);
  return needs.counters && loaded;
}

const sightingsOf = (
  { sightings }: Batch,
  session: SessionState,
  ancestors: readonly Ancestor[],
): SightingRows => ({
  inherited: ancestors.map((one) => one.sightings),
  count: session.sightingCount,
  isFull: session.sightingsFull,
  find: (digest) => orElse(() => sightings.find(session, digest), []),
});

/** Applies what `settle` decided, in memory, for the batch to write. */
function write(
  batch: Batch,
  evaluation: NewEvaluation,
  loaded: LoadedStates,
  writes: Writes,
  policySetOf: WrittenPolicySet,
): void {
  const { verdict, opens } = writes;
  const { integrationId, at, policySet, resultOf, idempotency } = evaluation;
  const session = opens ? openSession(batch, opens, integrationId, loaded.tree) : loaded.session;
  if (session && writes.names) batch.names.use(integrationId, writes.names, session.id, at);
  batch.evaluations.add(evaluation, writes, session, policySetOf);
  loaded.counters?.write(session, verdict.counterWrites, at);
  if (session) batch.counters.entities.noteRecorded(session.row);
  if (session) advance(batch, session, loaded.tree, evaluation, verdict);
  if (resultOf !== null) batch.withResult.add(resultOf);
  applyReviews(batch, session, evaluation, verdict);
  batch.usage.add(integrationId, at, { review: verdict.review !== null, opens, bytes: writes.bytes });
  batch.events.push(...verdict.events);
  const rest = writes.permit && {
    sessionId: writes.permit.inSession ? (session?.id ?? null) : null,
    policySetId: policySetOf.id,
    policySetKey: policySet.key,
  };
  batch.keys.keep(integrationId, idempotency, verdict.response, at, rest);
}

function openSession(
  { sessions, trees, names, known }: Batch,
  opens: NewSession,
  integrationId: string,
  tree: TreeCounts | null,
): SessionState {
  const session = sessions.open(opens);
  names.opened(session);
  const { entityId, place } = opens;
  const parentId = place?.parentId ?? null;
  known.sessions.set(opens.id, { integrationId, entityId, parentId, rootId: rootIdOf(opens) });
  if (tree) trees.begin(session, tree);
  return session;
}

function advance(
  { sessions, trees, sightings }: Batch,
  session: SessionState,
  tree: TreeCounts | null,
  evaluation: NewEvaluation,
  verdict: Verdict,
): void {
  sessions.advance(session, evaluation, verdict);
  if (tree) trees.advance(session, tree, evaluation, verdict);
  for (const { digest, sightings: seen } of verdict.sightings.writes) sightings.write(session, digest, seen);
  if (verdict.sightings.isFull) session.sightingsFull = true;
  trees.gatherLate(session, evaluation.at);
}

function applyReviews(
  { held }: Batch,
  session: SessionState | null,
  evaluation: NewEvaluation,
  verdict: Verdict,
): void {
  const { reviewRequestId, at } = evaluation;
  if (verdict.consumesReview && reviewRequestId !== null) held.consume(reviewRequestId, at);
  held.use(verdict.usesGrants, evaluation.id);
  if (verdict.review) held.open(verdict.review, session, evaluation);
  if (verdict.heldAgain) held.holdAgain(verdict.heldAgain, evaluation.id);
}
