import type { CountedPlace } from '../../evaluate/counters/counters.ts';
import type { ReplaySource } from '../replay.ts';
import type { Client } from './client.ts';
import { createCounterRecords } from './counter-records.ts';

/** As `CounterRecords`, in one step: nobody else waits for this thread. */
export function createCounted(client: Client): ReplaySource['counted'] {
  const { read } = createCounterRecords(
    { client, look: async (query) => query() },
    { find: () => 0, idOf: () => '' },
  );
  const chain = client.prepare<[number, number, number], { id: number }>(
    `WITH RECURSIVE chain(id, previous) AS (
       SELECT id, previous_id FROM evaluations WHERE id = ?
       UNION ALL
       SELECT e.id, e.previous_id FROM chain JOIN evaluations e ON e.id = chain.previous)
     SELECT id FROM chain WHERE id > ? AND id < ? ORDER BY id`,
  );
  const last = (where: string) =>
    client.prepare<unknown[], { last: number | null }>(
      `SELECT t.last_evaluation_id AS last FROM evaluation_sessions s JOIN integrations i ON i.row = s.integration_id
       JOIN session_states t ON t.session_id = s.id WHERE i.id = ? AND ${where}`,
    );
  const lastOfSession = last('s.uid = ?');
  const lastOfEntity = last('s.entity_id = ?');
  // Of whatever integration.
  const lastOfTree = client.prepare<unknown[], { last: number | null }>(
    `SELECT t.last_evaluation_id AS last FROM evaluation_sessions s JOIN session_states t ON t.session_id = s.id
     WHERE s.uid = ? OR s.place IS NOT NULL AND json_extract(s.place, '$.rootId') = ?`,
  );
  const inRange = (where: string) =>
    client.prepare<unknown[], { id: number }>(
      `SELECT e.id FROM evaluations e JOIN integrations i ON i.row = e.integration_id
       LEFT JOIN evaluation_sessions s ON s.id = e.session_id
       WHERE e.id > ? AND e.id < ? AND i.id = ? AND ${where} ORDER BY e.id`,
    );
  const ofNoEntity = inRange('s.entity_id IS NULL');
  const ofIntegration = inRange('TRUE');

  function rowsIn(place: CountedPlace, after: number, before: number): number[] {
    const { integrationId, scope } = place;
    if (scope === 'integration') return ofIntegration.all(after, before, integrationId).map(({ id }) => id);
    if (scope === 'entity' && place.entityId === null)
      return ofNoEntity.all(after, before, integrationId).map(({ id }) => id);
    const sessions =
      scope === 'session'
        ? lastOfSession.all(integrationId, place.sessionId)
        : scope === 'tree'
          ? lastOfTree.all(place.rootId, place.rootId)
          : lastOfEntity.all(integrationId, place.entityId);
    const rows = sessions.flatMap(({ last }) => (last === null ? [] : chain.all(last, after, before)));
    return rows.map(({ id }) => id).sort((left, right) => left - right);
  }

  return (place, after, before) => read(rowsIn(place, after, before), true);
}
