import { withAncestors } from './locks.ts';

const columns = `s.id::text, s.integration_id::text AS "integrationId", s.status,
    s.entity_id AS "entityId", s.external_session_id AS "externalSessionId", s.metadata, s.started_at AS "startedAt",
    s.expires_at AS "expiresAt", s.ended_at AS "endedAt", s.parent_uid::text AS "parentUid", s.place,
    s.has_children AS "hasChildren", t.action_count AS "actionCount", t.other_count AS "otherCount",
    t.warning_count AS "warningCount", t.block_count AS "blockCount", t.review_count AS "reviewCount",
    t.rejection_count AS "rejectionCount",
    t.data_tags AS "dataTags", t.labels, t.monitored_labels AS "monitoredLabels", t.tool_counts AS "toolCounts",
    t.stopped_counts AS "stoppedCounts", t.counters, t.chain_seq AS "chainSeq", t.chain_hash AS "chainHash",
    t.sighting_count AS "sightingCount", t.sightings_full AS "sightingsFull"
  FROM session_states t JOIN evaluation_sessions s ON s.id = t.session_id`;

/** As they are when it runs: for those whose lock is held, or covered by that of one above them. */
export const readSessions = `SELECT ${columns} WHERE t.session_id = ANY($1::uuid[])`;

// Whoever waits for a lock gets the newest version of the rows that are locked, and of no others: from a table that is only joined come
// rows as they were when the statement began, such as a session that was ended meanwhile. So the rows of both tables are locked.
const locked = 'ORDER BY t.session_id FOR UPDATE OF t, s';

/** Locks sessions, and reads them as they are under their locks. They are given with all that are above them. */
export const lockGivenSessions = `${readSessions} ${locked}`;
/** The same; PostgreSQL finds those above them. */
export const lockSessionsUp = `SELECT ${columns} WHERE t.session_id IN (${withAncestors('$1::uuid[]')}) ${locked}`;
