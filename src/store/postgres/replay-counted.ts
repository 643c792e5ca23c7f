import type { CountedPlace } from '../../evaluate/counters/counters.ts';
import type { CountedRecord } from '../../schemas/counter-cells.ts';
import type { ReplaySource } from '../replay.ts';
import type { BlockingClient } from './blocking-client.ts';

type Columns = Omit<CountedRecord, 'session'> & {
  sessionId: string | null;
  entityId: string | null;
  metadata: string;
  startedAt: number;
};

/** As `counter-records.ts`, for a thread that waits. */
export const createCounted =
  (client: Pick<BlockingClient, 'all'>): ReplaySource['counted'] =>
  (place, after, before) => {
    const [where, ...values] = conditionOf(place);
    return client
      .all<Columns>(
        `SELECT e.id, e.result_of AS "resultOf", e.phase, e.tool, e.result_status AS "resultStatus", e.cost, e.created_at AS at,
           e.enforcement_action AS "enforcementAction", e.enforced_severity AS severity, e.violations, e.data_tags AS "dataTags",
           e.detections, e.input, e.target_key AS "targetKey", s.id AS "sessionId", s.entity_id AS "entityId", s.metadata,
           s.started_at AS "startedAt"
         FROM evaluations e LEFT JOIN evaluation_sessions s ON s.id = e.session_id
         WHERE e.position > $1 AND e.position < $2 AND ${where} ORDER BY e.position`,
        [after, before, ...values],
      )
      .map(({ sessionId, entityId, metadata, startedAt, ...record }) => ({
        ...record,
        session: sessionId === null ? null : { id: sessionId, entityId, metadata, startedAt },
      }));
  };

function conditionOf(place: CountedPlace): [where: string, ...values: string[]] {
  const { scope, integrationId } = place;
  switch (scope) {
    case 'session':
      return ['e.integration_id = $3 AND e.session_id = $4', integrationId, place.sessionId];
    case 'tree':
      // Of whatever integration.
      return ['(s.id = $3 OR s.root_uid = $3)', place.rootId];
    case 'entity':
      if (place.entityId === null) return ['e.integration_id = $3 AND s.entity_id IS NULL', integrationId];
      return ['e.integration_id = $3 AND s.entity_id = $4', integrationId, place.entityId];
    case 'integration':
      return ['e.integration_id = $3', integrationId];
  }
}
