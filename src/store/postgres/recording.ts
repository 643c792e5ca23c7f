import { noCounters } from '../counter-sets.ts';
import { scopeName } from '../counters.ts';
import type { RecordResult } from '../evaluations.ts';
import type { NewEvaluation } from '../new-evaluations.ts';
import { type Ancestor, type Decide, type Loaded, settle, type Writes } from '../record-evaluation.ts';
import { rootIdOf } from '../session-places.ts';
import type { TreeCounts } from '../session-trees.ts';
import type { SightingRows } from '../sightings.ts';
import type { Batch, Known } from './batch.ts';
import { LoadedScopes } from './counter-scopes.ts';
import { actionOf } from './held-actions.ts';
import { apply, type Job } from './jobs.ts';
import { lockNames } from './locks.ts';
import { NotLoaded, orElse } from './rows.ts';
import type { SessionState } from './session-state.ts';

/** What `settle` asks for, as `write` changes it. */
interface LoadedStates extends Loaded {
  session: SessionState | null;
  counters: LoadedScopes | null;
  tree: TreeCounts | null;
}

/** A number that no revision has: nothing belongs to an integration that is not there. */
const noRevision = -1;

const nameKey = ({ integrationId, session }: NewEvaluation): string | null => {
  if (session && 'name' in session) return lockNames.sessionName(integrationId, session.name);
  if (session && 'externalSessionId' in session)
    return lockNames.externalId(integrationId, session.externalSessionId);
  return null;
};
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
  const { integrationId, session: asked, at, needs, policySet, idempotency } = evaluation;
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
      const { sessions, trees, names, known } = batch;
      for (const id of [integrationId, ...evaluation.delegators.map((one) => one.integrationId)]) {
        batch.revisions.want(id);
        batch.counters.sets.want(id);
      }
      batch.keys.want(integrationId, idempotency);
      batch.policySets.want(policySet);
      if (evaluation.resultOf !== null) batch.actions.want(evaluation.resultOf);
      if (evaluation.reviewRequestId !== null) batch.held.named.want(evaluation.reviewRequestId);
      if (asked && 'name' in asked) names.wantNamed(integrationId, asked.name);
      if (asked && 'externalSessionId' in asked) names.wantExternal(integrationId, asked.externalSessionId);
      const id = likelySession(evaluation, known);
      batch.usage.want(integrationId, evaluation.quotas, at, opens !== null && id === null);
      for (const lowest of [id, parentId]) {
        if (lowest === null) continue;
        batch.locks.wantSession(lowest);
        for (const above of known.sessions.upFrom(lowest)) {
          sessions.rows.want(above);
          if (above !== lowest || lowest === parentId) trees.children.want(above);
        }
      }
      if (id !== null && needs.recentActions) sessions.actions.want(id);
      if (!asked) {
        batch.chains.want(integrationId);
        if (needs.pendingReview) batch.held.ofAction.want(...actionOf(null, evaluation));
      }
      const facts = id === null ? null : known.sessions.get(id);
      const root = facts && facts.rootId !== id ? facts.rootId : (opens?.place?.rootId ?? null);
      if (root !== null) trees.counts.want(root);
      if (needs.counters === null) return;
      const own = {
        entityId: facts?.entityId ?? opens?.entityId ?? null,
        rootId: root ?? id ?? opens?.id ?? '',
      };
      for (const scope of new Set(needs.counters.map(({ over }) => over))) {
        if (scope === 'session' || scope === 'tree') continue;
        batch.locks.name(lockNames.counterScope(integrationId, scopeName(scope, own)));
        batch.counters.scopes.want(integrationId, scopeName(scope, own));
      }
    },

    run(batch) {
      const loaded = load(batch, evaluation);
      const { result, writes } = settle(loaded, evaluation, decide);
      // What it asked for in vain may have been taken for nothing.
      if (batch.isWanting) throw new NotLoaded();
      if (!writes) return result;
      const policySetId = batch.policySets.ensure(policySet);
      if (policySetId === null) return { kind: 'stale' };
      loaded.counters?.prepare(writes.verdict.counterWrites);
      if (loaded.session)
        for (const { digest } of writes.verdict.sightings.writes)
          batch.sightings.find(loaded.session, digest);
      if (!loaded.session && !writes.opens) batch.chains.next(integrationId, null);
      apply(() => write(batch, evaluation, loaded, writes, policySetId));
      return result;
    },
  };
}

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
  const action = resultOf === null ? null : batch.actions.one(resultOf);
  const revisionOf = (id: string): number => batch.revisions.one(id)?.revision ?? noRevision;
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
    ...batch.held.load(session, evaluation),
    // The counters of policies that are not in force any more must not become those of the integration.
    counters: revision === evaluation.revision ? loadCounters(batch, session, evaluation) : null,
    sightings: session && needs.sightings ? sightingsOf(batch, session, ancestors) : null,
    ancestors,
    tree: trees.countsOf(session, opens),
    usage: batch.usage.of(integrationId, at),
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

function write(
  batch: Batch,
  evaluation: NewEvaluation,
  { session: found, counters, tree }: LoadedStates,
  writes: Writes,
  policySetId: string,
): void {
  const { sessions, trees, names, held } = batch;
  const { verdict, opens } = writes;
  const { integrationId, at, policySet, resultOf, reviewRequestId, idempotency } = evaluation;
  const session = opens ? sessions.open(opens) : found;
  if (session && opens) {
    names.opened(session);
    const { entityId, place } = opens;
    const parentId = place?.parentId ?? null;
    batch.known.sessions.set(opens.id, { integrationId, entityId, parentId, rootId: rootIdOf(opens) });
    if (tree) trees.begin(session, tree);
  }
  if (session && writes.names) names.use(integrationId, writes.names, session.id, at);
  batch.evaluations.add(evaluation, writes, session, policySetId);
  counters?.write(session, verdict.counterWrites, at);
  if (session) sessions.advance(session, evaluation, verdict);
  if (session && tree) trees.advance(session, tree, evaluation, verdict);
  if (resultOf !== null) batch.withResult.add(resultOf);
  if (verdict.consumesReview && reviewRequestId !== null) held.consume(reviewRequestId, at);
  held.use(verdict.usesGrants, evaluation.id);
  if (verdict.review) held.open(verdict.review, session, evaluation);
  if (verdict.heldAgain) held.holdAgain(verdict.heldAgain, evaluation.id);
  if (session) {
    for (const { digest, sightings } of verdict.sightings.writes)
      batch.sightings.write(session, digest, sightings);
    if (verdict.sightings.isFull) session.sightingsFull = true;
  }
  batch.usage.add(integrationId, at, { review: verdict.review !== null, opens, bytes: writes.bytes });
  batch.events.push(...verdict.events);
  const rest = writes.permits
    ? { sessionId: session?.id ?? null, policySetId, policySetKey: policySet.key }
    : null;
  batch.keys.keep(integrationId, idempotency, verdict.response, at, rest);
}
