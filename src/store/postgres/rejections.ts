import type { Batch } from '../../evaluate/postgres/batch.ts';
import { LoadedScopes } from '../../evaluate/postgres/counter-scopes.ts';
import { apply, type Job } from '../../evaluate/postgres/jobs.ts';
import type { SessionState } from '../../evaluate/postgres/session-state.ts';
import type { ReviewOwner } from '../../features/reviews/store.ts';
import { integrationChain } from '../../record/chains.ts';
import type { CounterCells, CounterWrite } from '../../schemas/counter-cells.ts';
import type { CountRejection } from '../reviews.ts';
import { lockNames } from './locks.ts';

/**
 * Takes the locks of a review that a person decides, and counts its rejection: in its session and tree, and in counters. `rejected`
 * is asked under the locks; null for every other decision.
 */
export function rejectingJob(
  { integrationId, sessionId }: ReviewOwner,
  reviewId: string,
  at: number,
  count: CountRejection | undefined,
  rejected: () => { rejectionCounts: string | null } | null,
): Job<void> {
  return {
    sessionIds: sessionId === null ? [] : [sessionId],
    size: 1_000,
    keys: () => [],

    prepare(batch) {
      if (sessionId === null) batch.locks.name(lockNames.chain(integrationChain(integrationId)));
      else batch.locks.wantSession(sessionId);
      batch.integrations.want(integrationId);
    },

    run(batch) {
      const rejection = rejected();
      if (!rejection) return;
      const session = sessionId === null ? null : batch.sessions.findAny(sessionId);
      const { rejectionCounts } = rejection;
      const counted =
        rejectionCounts !== null && count
          ? countIn(batch, integrationId, session, (cells) => count(rejectionCounts, cells, at))
          : null;
      // What may be missing is read first: a rejection counts once.
      if (session) batch.trees.countsOf(session, null);
      apply(() => {
        if (session) {
          batch.trees.countRejection(session);
          batch.sessions.writes.noteRejection(session, reviewId);
        }
        counted?.loaded.write(session, counted.writes, at);
      });
    },
  };
}

function countIn(
  batch: Batch,
  integrationId: string,
  session: SessionState | null,
  count: (cells: CounterCells) => readonly CounterWrite[],
): { loaded: LoadedScopes; writes: readonly CounterWrite[] } {
  const root = session && batch.trees.rootOf(session, integrationId, session);
  const of = { integrationId, session, entityId: session?.entityId ?? null, root };
  const loaded = new LoadedScopes(batch.counters, batch.sessions, of, [], null);
  const find: CounterCells['find'] = (counter, scope, name) => loaded.read(counter, scope, name);
  const writes = count({ find }).filter(({ counter, scope }) => loaded.has(counter, scope));
  loaded.prepare(writes);
  return { loaded, writes };
}
