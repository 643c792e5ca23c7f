import type { CountedPlace, CounterStore } from '../../evaluate/counters/counters.ts';
import { takesResultsAt } from '../../evaluate/session.ts';
import type { RecordedRows } from '../../evaluate/sqlite/record.ts';
import type { CounterRecords } from './counter-records.ts';
import type { Sqlite } from './database.ts';

export function createCounterHistory(
  { writer, look }: Pick<Sqlite, 'writer' | 'look'>,
  rows: Pick<RecordedRows, 'integrations' | 'sessions' | 'revisions' | 'counterScopes' | 'trees'>,
  records: CounterRecords,
): Pick<CounterStore, 'listRecords' | 'readRecords' | 'catchUp'> {
  const { integrations, sessions, revisions, counterScopes: scopes, trees } = rows;
  function ownersOf(place: CountedPlace, integrationRow: number) {
    const rootSession = place.scope === 'tree' ? sessions.findAny(place.rootId) : null;
    return {
      session: place.scope === 'session' ? sessions.find(integrationRow, place.sessionId) : null,
      entityId: place.scope === 'entity' ? place.entityId : null,
      root: rootSession && trees.rootOf(rootSession, integrationRow),
    };
  }

  return {
    listRecords: records.list,
    readRecords: (rows, withInput) => look(() => records.read(rows, withInput)),

    catchUp: (place, { planned, delegators, revision }, after, at, count) =>
      writer.run(() => {
        const integrationRow = integrations.find(place.integrationId);
        if (revisions.of(integrationRow) !== revision) return;
        const of = { integrationRow, ...ownersOf(place, integrationRow) };
        const { session } = of;
        if (place.scope === 'session' && !(session && takesResultsAt(session, at))) return;
        const loaded = scopes.load(of, planned, { integrationId: place.integrationId, delegators });
        if (!loaded.uncounted.some(({ scope }) => scope === place.scope)) return;
        const writes = count(records.read(records.listAfter(place, after), true));
        scopes.catchUp(loaded, place.scope, session, writes, at);
        if (session) sessions.changed(session);
      }),
  };
}
