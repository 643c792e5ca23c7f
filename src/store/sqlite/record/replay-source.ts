import type { CountedPlace } from '../../../evaluate/counters/counters.ts';
import { parsePlace } from '../../../evaluate/session-places.ts';
import { parseSettings } from '../../../features/integrations/store.ts';
import { entriesOfChanges } from '../../../features/lists/store.ts';
import type { GrantOffer } from '../../../schemas/review-terms.ts';
import {
  type RangeReads,
  type ReplayRange,
  type ReplayRow,
  type ReplaySession,
  type ReplaySource,
  replayRange,
  type SessionFields,
} from '../../replay.ts';
import type { Client } from '../client.ts';
import { createCounterRecords } from '../counters.ts';
import { openReadOnly } from '../file/existing.ts';

/** As `CounterRecords`, in one step: nobody else waits for this thread. */
function createCounted(client: Client): ReplaySource['counted'] {
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
  // Sessions of every integration.
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

function createReplayRange(client: Client): ReplaySource['range'] {
  const one = <Row>(sql: string) => client.prepare<unknown[], Row>(sql);
  const lastRow = one<{ row: number }>('SELECT coalesce(max(id), 0) AS row FROM evaluations');
  const rowFrom = one<{ row: number; at: number }>(
    'SELECT id AS row, created_at AS at FROM evaluations WHERE id >= ? ORDER BY id LIMIT 1',
  );
  const integration = one<{ row: number }>('SELECT row FROM integrations WHERE id = ?');
  const session = one<{ root: string }>(
    `SELECT coalesce(place ->> '$.rootId', uid) AS root FROM evaluation_sessions WHERE uid = ?`,
  );
  const tree = one<{ row: number; startedAt: number; last: number }>(
    `SELECT s.id AS row, s.started_at AS "startedAt", coalesce(t.last_evaluation_id, 0) AS last
     FROM evaluation_sessions s LEFT JOIN session_states t ON t.session_id = s.id
     WHERE s.uid = ? OR s.place ->> '$.rootId' = ?`,
  );
  const delegates = one(
    `SELECT 1 FROM evaluation_sessions WHERE parent_uid IS NOT NULL AND place ->> '$.delegatedBy' <> '[]' LIMIT 1`,
  );
  const firstStart = one<{ at: number | null }>(
    `SELECT min(coalesce(r.started_at, s.started_at)) AS at FROM evaluation_sessions s
     JOIN session_states t ON t.session_id = s.id
     LEFT JOIN evaluation_sessions r ON r.uid = s.place ->> '$.rootId'
     WHERE t.last_evaluation_id >= ?`,
  );
  const reads: RangeReads = {
    slackMs: 0,
    lastRow: () => lastRow.get()?.row ?? 0,
    rowFrom: (row) => rowFrom.get(row),
    integrationRow: (id) => integration.get(id)?.row,
    rootOf: (id) => session.get(id)?.root,
    treeOf: (root) => tree.all(root, root),
    hasDelegates: () => delegates.get() !== undefined,
    firstStart: (row) => firstStart.get(row)?.at ?? null,
  };
  return (filter, isWide) => replayRange(reads, filter, isWide);
}

/** Rows without a session, or of any integration, are kept by `NULL`. */
const columns: readonly (readonly [keyof ReplayRow, string])[] = [
  ['row', 'id'],
  ['id', 'uid'],
  ['integrationRow', 'integration_id'],
  ['sessionRow', 'session_id'],
  ['phase', 'phase'],
  ['resultOf', 'result_of'],
  ['resultStatus', 'result_status'],
  ['cost', 'cost'],
  ['identity', 'identity'],
  ['transport', 'transport'],
  ['tool', 'tool'],
  ['targetKey', 'target_key'],
  ['outcome', 'outcome'],
  ['enforcementAction', 'enforcement_action'],
  ['severity', 'severity'],
  ['enforcedSeverity', 'enforced_severity'],
  ['violations', 'violations'],
  ['dataTags', 'data_tags'],
  ['detections', 'detections'],
  ['labels', 'labels'],
  ['repeats', 'repeats'],
  ['policySetRow', 'policy_set_id'],
  ['input', 'input'],
  ['targetMetadata', 'target_metadata'],
  ['reviewId', 'review_uid'],
  ['named', 'named_review'],
  ['createdAt', 'created_at'],
];

const names = columns.map(([name, column]) => `${column} AS "${name}"`).join();

/** Opens the file for reading only: not even by mistake can a replay write. */
export function openSqliteReplaySource(file: string): ReplaySource {
  const client = openReadOnly(file);
  const one = <Row>(sql: string) => client.prepare<unknown[], Row>(sql);
  const rowsOf = (range: ReplayRange) => {
    const where = [
      ...(range.integrationRows ? [`integration_id IN (${range.integrationRows.join()})`] : []),
      ...(range.sessionRows ? [`session_id IN (${range.sessionRows.join()})`] : []),
    ];
    return one<ReplayRow>(
      `SELECT ${names} FROM evaluations WHERE ${['evaluations.id > ? AND evaluations.id <= ?', ...where].join(' AND ')} ORDER BY evaluations.id`,
    );
  };
  const rowAt = one<ReplayRow>(`SELECT ${names} FROM evaluations WHERE id = ?`);
  let known: { range: ReplayRange; rows: ReturnType<typeof rowsOf> } | undefined;
  const changes = one<ReturnType<ReplaySource['changes']>[number]>(
    `SELECT c.session_id AS "sessionRow", c.kind, c.label, c.review_uid AS "reviewId", c.after_evaluation_id AS "afterRow",
       coalesce(r.decided_at, s.ended_at, 0) AS at
     FROM session_changes c JOIN evaluation_sessions s ON s.id = c.session_id LEFT JOIN reviews r ON r.uid = c.review_uid
     WHERE c.after_evaluation_id >= ? AND c.after_evaluation_id < ? ORDER BY c.after_evaluation_id, c.id`,
  );
  const session = one<SessionColumns>(
    `SELECT s.id AS row, s.integration_id AS "integrationRow", s.uid AS id, i.id AS "integrationId", s.entity_id AS "entityId", s.external_session_id AS "externalSessionId",
       s.metadata, s.started_at AS "startedAt", s.expires_at AS "expiresAt", s.parent_uid AS "parentId", s.place,
       s.has_children AS "hasChildren", coalesce(t.last_evaluation_id, 0) AS "lastRow"
     FROM evaluation_sessions s JOIN integrations i ON i.row = s.integration_id
     LEFT JOIN session_states t ON t.session_id = s.id WHERE s.id = ?`,
  );
  const sessionRow = one<{ id: number }>('SELECT id FROM evaluation_sessions WHERE uid = ?');
  const integration = one<{
    id: string;
    name: string;
    kind: string;
    settings: string;
    tools: string | null;
    at: number | null;
  }>(
    `SELECT i.id, i.name, i.kind, i.settings, c.tools, c.updated_at AS at
     FROM integrations i LEFT JOIN tool_catalogues c ON c.integration_id = i.id WHERE i.row = ?`,
  );
  const policySet = one<{ terms: string }>('SELECT terms FROM policy_sets WHERE id = ?');
  const document = one<{ document: string }>(
    'SELECT document FROM policy_versions WHERE policy_id = ? AND version = ?',
  );
  const listChanges = one<{ version: number; added: string; removed: string }>(
    'SELECT version, added, removed FROM list_changes WHERE list_id = ? AND version <= ? ORDER BY version',
  );
  const triaged = one<ReturnType<ReplaySource['triaged']>[number]>(
    `SELECT evaluation_id AS row, place, status FROM violations
     WHERE status IN ('ACKNOWLEDGED', 'RESOLVED', 'DISMISSED') AND evaluation_id > ? AND evaluation_id <= ?`,
  );
  const grantsUsed = one<{
    id: string;
    reviewRequestId: string;
    tool: string;
    offer: string;
    dataTags: string;
  }>(
    `SELECT g.uid AS id, r.uid AS "reviewRequestId", r.tool, g.offer, g.data_tags AS "dataTags"
     FROM grant_uses u JOIN grants g ON g.id = u.grant_id JOIN reviews r ON r.id = g.review_id
     WHERE u.evaluation_id = ? ORDER BY g.id`,
  );
  const counted = createCounted(client);
  const range = createReplayRange(client);

  return {
    range,

    rows(of, after, upTo) {
      if (known?.range !== of) known = { range: of, rows: rowsOf(of) };
      return known.rows.all(after, upTo);
    },
    rowsAt: (rows) => rows.flatMap((row) => rowAt.all(row)),
    changes: (after, upTo) => changes.all(after, upTo),

    session(row) {
      const found = session.get(row);
      if (!found) throw new Error(`an evaluation is of the session in row ${row}, which is missing`);
      return toSession(found);
    },
    sessionRow(id) {
      const found = sessionRow.get(id);
      if (!found) throw new Error(`the session ${id} is a parent and missing`);
      return found.id;
    },

    integration(row) {
      const found = integration.get(row);
      if (!found) throw new Error(`an evaluation is of the integration in row ${row}, which is missing`);
      const { settings, at, kind, ...rest } = found;
      return {
        ...rest,
        kind: kind as ReturnType<ReplaySource['integration']>['kind'],
        settings: parseSettings(settings),
        toolsChangedAt: at ?? 0,
      };
    },

    policySet(row) {
      const found = policySet.get(row);
      if (!found) throw new Error(`the policies in row ${row} are missing`);
      return JSON.parse(found.terms);
    },
    policySetRows: () =>
      one<{ id: number }>('SELECT id FROM policy_sets')
        .all()
        .map(({ id }) => id),
    document: (policyId, version) => document.get(policyId, version)?.document ?? null,

    listEntries: (id, version) => entriesOfChanges(listChanges.all(id, version), version),

    grantsUsed: (row) =>
      grantsUsed.all(row).map(({ offer, dataTags, ...grant }) => {
        const { key, policyId, ruleId, severity } = JSON.parse(offer) as GrantOffer;
        const open = { usesLeft: null, expiresAt: null };
        return {
          ...grant,
          ...open,
          key,
          policyId,
          ruleId,
          severity,
          dataTags: JSON.parse(dataTags) as string[],
        };
      }),
    triaged: (after, upTo) => triaged.all(after, upTo),
    counted,
    close: () => client.close(),
  };
}

interface SessionColumns extends SessionFields {
  row: number;
  integrationRow: number;
  hasChildren: number;
}

const toSession = ({
  row,
  integrationRow,
  parentId,
  place,
  hasChildren,
  lastRow,
  ...opened
}: SessionColumns): ReplaySession => ({
  row,
  integrationRow,
  opened: {
    ...opened,
    place: parsePlace(parentId, place),
  },
  lastRow,
  hasChildren: hasChildren !== 0,
});
