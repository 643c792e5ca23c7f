import { hash } from 'node:crypto';
import { sightingsText } from '../../../evaluate/sightings.ts';
import { SeenIdentifiers } from '../../../evaluate/sqlite/seen-identifiers.ts';
import type { MovedRow, MoveSource } from '../../move.ts';
import type { Client } from '../client.ts';
import { findMove } from '../file/existing.ts';
import { assertCurrent, openOurs } from './state.ts';

// Columns of what moves to another database: ids instead of rows, and positions.

const integration = (of: string) => `(SELECT id FROM integrations i WHERE i.row = ${of}) AS integration_id`;
const session = (of: string) => `(SELECT uid FROM evaluation_sessions s WHERE s.id = ${of}) AS session_id`;
const policySet = (of: string) =>
  `(SELECT sha256(members) FROM policy_sets m WHERE m.id = ${of}) AS policy_set_id`;
const review = `(SELECT uid FROM reviews r WHERE r.id = review_id) AS review_id`;
/** The position of an evaluation, by its row; 0 for none. The function is one of the connection, as are all that SQLite does not have. */
const position = (of: string) => `position(${of}) AS position`;
/** The rank of a row that has its place after an evaluation: first the entries of the record, then the changes of sessions. */
const rank = 'row_number() OVER (PARTITION BY after_evaluation_id ORDER BY id)';
const entryPosition = `position(after_evaluation_id) + ${rank} AS position`;
const changePosition = `position(after_evaluation_id) + ${rank} + (SELECT count(*) FROM record_entries e
  WHERE e.after_evaluation_id = session_changes.after_evaluation_id) AS position`;

/** All tools in the order of first use: of those in the row, and of those that have rows of their own. */
function toolCounts(column: string, further: string): string {
  return `(SELECT json_group_array(json(pair)) FROM (
      SELECT value AS pair FROM json_each(${column})
      UNION ALL SELECT * FROM (SELECT json_array(tool, call_count) FROM ${further} f WHERE f.session_id = session_states.session_id ORDER BY first_seq)
    )) AS ${column}`;
}

// The columns that a move to another database takes from each table, under the names that they have there: ids are those that callers know,
// and everything that is recorded has a position.

const evaluationColumns = `uid AS id, ${position('evaluations.id')}, ${integration('integration_id')}, ${session('session_id')},
  seq, transport, phase, result_of, result_status, tool, target_key, target_metadata, correlation_id, outcome, enforcement_action,
  severity, enforced_severity, violations, data_tags, detections, labels, repeats, cost, identity, used_grants, ${policySet('policy_set_id')}, input, review_uid,
  named_review, chain_seq, entry_hash, content_salt, content_digests, created_at, took_us, trace_id`;

/** In an order in which each refers to those before it only. */
export const movedTables: readonly { table: string; select: string }[] = [
  {
    table: 'operators',
    select:
      'SELECT id, name, email, email_key, status, roles, groups, entity_id, created_at, updated_at FROM operators',
  },
  {
    table: 'operator_keys',
    select:
      'SELECT id, operator_id, key_hash, name, last_four, created_at, last_used_at, expires_at, ip_ranges, revoked_at FROM operator_keys',
  },
  {
    table: 'sign_ins',
    select:
      'SELECT token_hash, operator_key_hash, operator_id, created_at, used_at, confirmed_at FROM sign_ins',
  },
  { table: 'sign_in_links', select: 'SELECT link_hash, operator_key_hash, expires_at FROM sign_in_links' },
  {
    table: 'integrations',
    select:
      'SELECT id, name, kind, description, settings, revision, webhook_secret, created_at, updated_at, deleted_at FROM integrations',
  },
  {
    table: 'integration_keys',
    select:
      'SELECT id, integration_id, name, key_hash, key_prefix, last_four, scopes, last_used_at, issued_by, created_at, expires_at, revoked_at FROM integration_keys',
  },
  {
    table: 'integration_usage',
    select: `SELECT ${integration('integration_id')}, day, bytes FROM integration_usage`,
  },
  {
    table: 'tool_catalogues',
    select: 'SELECT integration_id, tools, updated_at FROM tool_catalogues',
  },
  {
    table: 'policies',
    select: `SELECT id, name, status, current_version, latest_version, created_at, updated_at, previous_version, scheduled_version,
      scheduled_at, revision FROM policies`,
  },
  {
    table: 'policy_versions',
    select:
      'SELECT policy_id, version, name, media_type, document, author, created_at, note FROM policy_versions',
  },
  {
    table: 'policy_version_lists',
    select: 'SELECT policy_id, version, name FROM policy_version_lists',
  },
  {
    table: 'house_policies',
    select: 'SELECT policy_id, created_at, params, mode, updated_at FROM house_policies',
  },
  {
    table: 'bindings',
    select: 'SELECT integration_id, policy_id, created_at, params, mode, updated_at FROM bindings',
  },
  {
    table: 'policy_sets',
    select: 'SELECT sha256(members) AS id, members, terms FROM policy_sets',
  },
  {
    table: 'policy_set_members',
    select: `SELECT policy_id, version, ${policySet('policy_set_id')} FROM policy_set_members`,
  },
  {
    table: 'lists',
    select:
      'SELECT id, name, kind, description, version, entries, entry_count, created_at, updated_at FROM lists',
  },
  {
    table: 'list_changes',
    select: 'SELECT list_id, version, author, note, added, removed, created_at FROM list_changes',
  },
  {
    table: 'proposals',
    select:
      'SELECT id, operation, change, before, note, status, author, decided_by, created_at, decided_at FROM proposals',
  },
  {
    table: 'entities',
    select: 'SELECT id, name, kind, owner, metadata, created_at, updated_at FROM entities',
  },
  {
    table: 'evaluation_sessions',
    select: `SELECT uid AS id, ${integration('integration_id')}, status, entity_id, external_session_id, metadata, started_at, expires_at,
      ended_at, parent_uid, place ->> '$.rootId' AS root_uid, place, has_children, gathered, ends_when_idle FROM evaluation_sessions`,
  },
  {
    table: 'session_states',
    select: `SELECT ${session('session_id')}, action_count, warning_count, block_count, review_count, rejection_count, other_count, data_tags,
      ${toolCounts('tool_counts', 'session_tools')}, ${toolCounts('stopped_counts', 'session_stopped_tools')},
      CASE WHEN counters IS NOT NULL THEN '\\x' || hex(counters) END AS counters, chain_seq, chain_hash, labels, monitored_labels, sighting_count, sightings_full
      FROM session_states`,
  },
  {
    table: 'named_sessions',
    select: `SELECT ${integration('integration_id')}, name, ${session('session_id')}, used_at FROM named_sessions`,
  },
  { table: 'session_trees', select: 'SELECT root_uid, counts FROM session_trees' },
  {
    table: 'session_changes',
    select: `SELECT ${changePosition}, ${session('session_id')}, kind, label, review_uid AS review_id FROM session_changes`,
  },
  // Their bytes are read by `move-source.ts`.
  { table: 'sightings', select: '' },
  {
    table: 'idempotency_keys',
    select: `SELECT ${integration('integration_id')}, key, request_hash, answer, created_at, ${session('session_id')},
      ${policySet('policy_set_id')} FROM idempotency_keys`,
  },
  { table: 'counter_sets', select: `SELECT ${integration('integration_id')}, data FROM counter_sets` },
  {
    table: 'counter_scopes',
    select: `SELECT ${integration('integration_id')}, scope, '\\x' || hex(data) AS data, ends_at FROM counter_scopes`,
  },
  {
    table: 'counter_cells',
    select: `SELECT ${integration('integration_id')}, scope, key, '\\x' || hex(data) AS data, ends_at FROM counter_cells
      UNION ALL SELECT ${integration('s.integration_id')}, 'session ' || s.uid, base64url(key), '\\x' || hex(data),
        (SELECT min(ends_at) FROM counting_sessions n WHERE n.session_id = s.id)
      FROM session_cells c JOIN evaluation_sessions s ON s.id = c.session_id`,
  },
  { table: 'counting_sessions', select: `SELECT ends_at, ${session('session_id')} FROM counting_sessions` },
  {
    table: 'reviews',
    select: `SELECT uid AS id, ${integration('integration_id')}, ${session('session_id')},
      (SELECT uid FROM evaluations e WHERE e.id = evaluation_id) AS evaluation_id, tool, input_hash, rejection_hash, shown_tool, status, created_at, expires_at,
      ends_with_session, expiry_seconds, decided_at, decided_by, comment, consumed_at, callback_url, terms, grants
      FROM reviews`,
  },
  {
    table: 'review_approvals',
    select: `SELECT ${review}, operator_id, groups, findings, comment, created_at, once FROM review_approvals`,
  },
  {
    table: 'review_contents',
    select: `SELECT ${review}, input, target_key, target_metadata, callback_url, is_masked, rejection_counts, forget_at FROM review_contents`,
  },
  {
    table: 'review_handling',
    select: `SELECT ${review}, assignee, assigned_at, seen_at, extended_at, reminded_at, reason FROM review_handling`,
  },
  {
    table: 'review_comments',
    select: `SELECT uid AS id, ${review}, author, text, created_at FROM review_comments`,
  },
  {
    table: 'callbacks',
    select: `SELECT uid AS id, ${review}, body, attempt_count, next_attempt_at, delivered_at, last_error FROM callbacks`,
  },
  {
    table: 'grants',
    select: `SELECT uid AS id, ${review}, ${session('session_id')}, row_number() OVER (PARTITION BY review_id ORDER BY id) - 1 AS place, offer,
      data_tags, uses_left, coalesce((SELECT decided_at FROM reviews r WHERE r.id = review_id), 0) AS created_at, expires_at, closed_at
      FROM grants`,
  },
  {
    table: 'grant_uses',
    select: `SELECT (SELECT uid FROM evaluations e WHERE e.id = evaluation_id) AS evaluation_id,
      (SELECT uid FROM grants g WHERE g.id = grant_id) AS grant_id FROM grant_uses`,
  },
  {
    table: 'violations',
    select: `SELECT v.uid AS id, e.uid AS evaluation_id, v.place, ${integration('v.integration_id')}, ${session('v.session_id')}, v.policy_uid,
      v.rule_id, v.severity, v.status, v.outcome, v.note, v.triaged_by, v.triaged_at, e.created_at
      FROM violations v JOIN evaluations e ON e.id = v.evaluation_id`,
  },
  {
    table: 'audit_entries',
    select: `SELECT uid AS id, id AS position, at, actor_kind, actor_id, actor_name, key_id, action, resource, resource_id,
      method, path, address, request_id, outcome, status_code, message, before, after, chain_seq, entry_hash FROM audit_entries`,
  },
  { table: 'record_heads', select: 'SELECT chain, seq, hash FROM record_heads' },
  {
    table: 'record_entries',
    select: `SELECT ${entryPosition}, ${integration('integration_id')}, ${session('session_id')}, kind, members, chain_seq, entry_hash
      FROM record_entries`,
  },
  {
    table: 'record_roots',
    select: `SELECT seq, at, previous, tree_size, root_hash, key_id, signature, frontier, position(evaluation_id) AS evaluation_id,
      coalesce((SELECT e.position FROM (SELECT id, ${entryPosition} FROM record_entries) e WHERE e.id = entry_id), 0) AS entry_id,
      audit_entry_id FROM record_roots`,
  },
  { table: 'record_leaves', select: 'SELECT id, chain, seq, hash FROM record_leaves' },
  { table: 'record_nodes', select: 'SELECT level, place, hash FROM record_nodes' },
  { table: 'record_keys', select: 'SELECT key_id, public_key, added_at FROM record_keys' },
  { table: 'installation_salts', select: 'SELECT id, salt FROM installation_salts' },
  {
    table: 'events',
    select: `SELECT id AS place, uid AS id, type, at, integration_id, subject, data, '00000000-0000-0000-0000-000000000000' AS writer,
      id AS sequence, total_bytes FROM events`,
  },
  {
    table: 'event_log',
    select: `SELECT 1 AS id, coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'events'), 0) AS sequence,
      coalesce((SELECT max(total_bytes) FROM events), 0) AS total_bytes`,
  },
  {
    table: 'webhooks',
    select: `SELECT id, name, format, status, destination, secret, previous_secret, previous_secret_until, types, integration_ids,
      min_severity, after_event, created_at, updated_at FROM webhooks`,
  },
  {
    table: 'mcp_servers',
    select: `SELECT id, name, url, headers, integration_ids, forwards_authorization, tool_list, hold_seconds, masks, timeout_seconds,
      created_at, updated_at FROM mcp_servers`,
  },
  {
    table: 'webhook_deliveries',
    select: `SELECT uid AS id, (SELECT w.id FROM webhooks w WHERE w.row = webhook_id) AS webhook_id, event_id, status, attempt_count,
      next_attempt_at, last_attempt_at, delivered_at, last_status_code, last_error, created_at FROM webhook_deliveries`,
  },
  {
    table: 'webhook_progress',
    select: 'SELECT 1 AS id, coalesce((SELECT sequence FROM webhook_progress), 0) AS sequence',
  },
  {
    table: 'stats',
    select: `SELECT dimension, unit, slot, ${integration('integration_id')}, sha256(name) AS name_hash, name, allowed, warned, held, blocked, timed,
      took_us, slowest_us FROM stats`,
  },
  {
    table: 'stats_progress',
    select: `SELECT 1 AS id, position(coalesce((SELECT evaluation_id FROM stats_progress), 0)) AS position`,
  },
  {
    table: 'content_retention',
    select: `SELECT id, position(evaluation_id) AS position FROM content_retention`,
  },
  { table: 'clock', select: 'SELECT id, latest_at, retention_held_at FROM clock' },
];

const rowsAtOnce = 1_000;

/** The file, while it may be in use. */
export function openMoveSource(file: string, migrations: string): MoveSource {
  const client = openOurs(file, migrations);
  try {
    assertCurrent(file, migrations);
  } catch (error) {
    client.close();
    throw error;
  }
  client.function('sha256', { deterministic: true }, (text: unknown) => hash('sha256', String(text)));
  client.function('base64url', { deterministic: true }, (bytes: unknown) =>
    (bytes as Buffer).toString('base64url'),
  );
  client.function('position', { deterministic: false }, (row: unknown) => positions.of(Number(row)));
  let positions = readPositions(client);
  const evaluationsWhere = (where: string) =>
    `SELECT ${evaluationColumns} FROM evaluations WHERE ${where} ORDER BY evaluations.id`;
  const after = client.prepare<[string | null, number], MovedRow>(
    `${evaluationsWhere('evaluations.id > coalesce((SELECT id FROM evaluations WHERE uid = ?), 0)')} LIMIT ?`,
  );
  const erased = evaluationsWhere(
    'evaluations.id > ? AND evaluations.id <= ? AND content_digests IS NOT NULL',
  );

  return {
    movedTo: () => findMove(client),
    tables: movedTables.map(({ table }) => table),
    rows(table) {
      if (table === 'sightings') return inChunks(eachSighting(client));
      const { select = '' } = movedTables.find((one) => one.table === table) ?? {};
      return inChunks(client.prepare<unknown[], MovedRow>(select).iterate());
    },
    evaluations(id, limit) {
      positions = readPositions(client);
      return after.all(id, limit);
    },
    erasedEvaluations: (from, upTo) =>
      inChunks(client.prepare<unknown[], MovedRow>(erased).iterate(from, upTo)),
    erasedUpTo: () =>
      client
        .prepare<[], number>('SELECT coalesce(max(evaluation_id), 0) FROM content_retention')
        .pluck()
        .get() ?? 0,
    hold() {
      client.exec('BEGIN IMMEDIATE');
      positions = readPositions(client);
    },
    release: () => {
      if (client.inTransaction) client.exec('ROLLBACK');
    },
    markMoved(address, at) {
      client.exec('CREATE TABLE moved (address TEXT NOT NULL, at INTEGER NOT NULL) STRICT');
      client.prepare('INSERT INTO moved VALUES (?, ?)').run(address, at);
      // Whoever has the file open now is refused, too.
      for (const table of tablesOf(client))
        for (const change of ['INSERT', 'UPDATE', 'DELETE'])
          client.exec(`CREATE TRIGGER moved_${table}_${change.toLowerCase()} BEFORE ${change} ON ${table}
            BEGIN SELECT RAISE(ABORT, 'the database was moved'); END`);
      client.exec('COMMIT');
    },
    close: () => client.close(),
  };
}

/** Each digest of each session, with its newest sightings. */
function* eachSighting(client: Client): Generator<MovedRow> {
  const sessions = client.prepare<[number], { row: number; id: string; open: Buffer | null }>(
    `SELECT t.session_id AS row, s.uid AS id, t.sightings AS open FROM session_states t
     JOIN evaluation_sessions s ON s.id = t.session_id
     WHERE t.has_sightings = 1 AND t.session_id > ? ORDER BY t.session_id LIMIT ${rowsAtOnce}`,
  );
  const blocksOf = client
    .prepare<[number], Buffer>('SELECT data FROM sightings WHERE session_id = ? ORDER BY block')
    .pluck();
  for (let after = 0, some = sessions.all(after); some.length > 0; some = sessions.all(after))
    for (const { row, id, open } of some) {
      after = row;
      for (const { digest, sightings } of new SeenIdentifiers(blocksOf.all(row), open).all())
        yield { session_id: id, digest, data: sightingsText(sightings) };
    }
}

const tablesOf = (client: Client): string[] =>
  client
    .prepare<[], string>("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .pluck()
    .all();

function* inChunks(rows: Iterable<MovedRow>): Generator<MovedRow[]> {
  let some: MovedRow[] = [];
  for (const row of rows) {
    some.push(row);
    if (some.length < rowsAtOnce) continue;
    yield some;
    some = [];
  }
  if (some.length > 0) yield some;
}

/** Evaluations, entries of the record and changes of sessions are numbered together, without gaps but those between evaluations. */
class Positions {
  /** In their order: the rows of evaluations after which something else has its place, once for each. */
  readonly #after: readonly number[];

  constructor(after: readonly number[]) {
    this.#after = after;
  }
  /** The position of a row. Rows with a later place have no part in it: it stays the same while more is recorded. */
  of(row: number): number {
    let [low, high] = [0, this.#after.length];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if ((this.#after[middle] as number) < row) low = middle + 1;
      else high = middle;
    }
    return row + low;
  }
}

const readPositions = (client: Client): Positions =>
  new Positions(
    client
      .prepare<[], number>(
        `SELECT after_evaluation_id AS row FROM record_entries
         UNION ALL SELECT after_evaluation_id FROM session_changes ORDER BY row`,
      )
      .pluck()
      .all(),
  );
