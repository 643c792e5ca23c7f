import { noCounters } from '../../evaluate/counters/sets.ts';
import type { NewEvaluation } from '../../evaluate/evaluation.ts';
import type { Ancestor, Loaded } from '../../evaluate/port.ts';
import type { TreeCounts } from '../../evaluate/session.ts';
import { rootIdOf } from '../../evaluate/session-places.ts';
import type { SightingRows } from '../../evaluate/sightings.ts';
import { nameKey, opensOf } from './asked-session.ts';
import type { Batch } from './batch.ts';
import { LoadedScopes } from './counter-scopes.ts';
import { orElse } from './rows.ts';
import type { SessionState } from './session-state.ts';

/** What `settle` asks for, as `write` changes it. */
export interface LoadedStates extends Loaded {
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

export function load(batch: Batch, evaluation: NewEvaluation): LoadedStates {
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
