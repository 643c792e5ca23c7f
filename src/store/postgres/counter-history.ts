import type { CounterStore } from '../../evaluate/counters/counters.ts';
import { scopeName } from '../../evaluate/counters/counters.ts';
import { LoadedScopes } from '../../evaluate/postgres/counter-scopes.ts';
import { apply, type Job } from '../../evaluate/postgres/jobs.ts';
import type { Lanes } from '../../evaluate/postgres/lanes.ts';
import { takesResultsAt } from '../../evaluate/session.ts';
import type { CountedRecord } from '../../schemas/counter-cells.ts';
import { listRecords, listRecordsAfter, readRecords } from './counter-records.ts';
import type { Postgres } from './database.ts';
import type { FinalPosition } from './final-position.ts';
import { lockNames } from './locks.ts';

type CatchUp = CounterStore['catchUp'];

export function createCounterHistory(
  { read }: Pick<Postgres, 'read'>,
  finalPosition: FinalPosition,
  lanes: Pick<Lanes, 'run'>,
): Pick<CounterStore, 'listRecords' | 'readRecords' | 'catchUp'> {
  return {
    listRecords: (place, since) => listRecords({ read }, finalPosition, place, since),
    readRecords: (rows, withInput) => read((db) => readRecords(db, rows, withInput)),
    catchUp: (...of) => lanes.run(catchingUp(...of)),
  };
}

/** Counts what was recorded in a scope meanwhile, under the locks of whoever records in it. */
function catchingUp(
  ...[place, { planned, delegators, revision }, after, at, count]: Parameters<CatchUp>
): Job<void> {
  const { integrationId } = place;
  const sessionId =
    place.scope === 'session' ? place.sessionId : place.scope === 'tree' ? place.rootId : null;
  const entityId = place.scope === 'entity' ? place.entityId : null;
  let records: CountedRecord[] = [];
  return {
    sessionIds: sessionId === null ? [] : [sessionId],
    size: 1_000,
    keys: (known) => [
      (sessionId && known.sessions.get(sessionId)?.rootId) ?? sessionId ?? lockNames.chain(integrationId),
    ],

    prepare(batch) {
      batch.integrations.want(integrationId);
      if (sessionId === null) {
        const scope = scopeName(place.scope === 'integration' ? 'integration' : 'entity', {
          entityId,
          rootId: '',
        });
        batch.locks.name(lockNames.counterScope(integrationId, scope));
        batch.counters.scopes.want(integrationId, scope);
        return;
      }
      batch.locks.wantSession(sessionId);
      if (place.scope === 'tree')
        batch.locks.name(
          lockNames.counterScope(integrationId, scopeName('tree', { entityId, rootId: sessionId })),
        );
    },

    async read(db) {
      records = await readRecords(db, await listRecordsAfter(db, place, after), true);
    },

    run(batch) {
      const { sessions, trees, counters } = batch;
      if (batch.integrations.one(integrationId)?.revision !== revision) return;
      const session = place.scope === 'session' ? sessions.find(integrationId, place.sessionId) : null;
      if (place.scope === 'session' && !(session && takesResultsAt(session, at))) return;
      const rootSession = place.scope === 'tree' ? sessions.findAny(place.rootId) : null;
      const root = rootSession && trees.rootOf(rootSession, integrationId, rootSession);
      const loaded = new LoadedScopes(
        counters,
        sessions,
        { integrationId, session, entityId, root },
        planned,
        { integrationId, delegators },
      );
      if (!loaded.uncounted.some(({ scope }) => scope === place.scope)) return;
      const writes = count(records);
      loaded.prepare(writes);
      apply(() => loaded.catchUp(place.scope, session, writes, at));
    },
  };
}
