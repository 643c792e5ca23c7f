import Database from 'better-sqlite3';
import { newId } from '../../src/services/ids.ts';

export interface Size {
  sessions: number;
  evaluations: number;
}

/**
 * Fills the file with sessions of one integration and their evaluations, as the service would have written them, and
 * returns the ids of the sessions. Some 400 bytes an evaluation.
 */
export function fillFile(file: string, { sessions, evaluations }: Size): string[] {
  const client = new Database(file);
  // It can be made again.
  client.pragma('synchronous = OFF');
  client.pragma('cache_size = -200000');
  const integration = client
    .prepare('SELECT row FROM integrations ORDER BY row LIMIT 1')
    .pluck()
    .get() as number;
  const set = client
    .prepare(
      "INSERT INTO policy_sets (members, terms) VALUES ('', '[]') ON CONFLICT DO UPDATE SET members = '' RETURNING id",
    )
    .pluck()
    .get() as number;
  const insertSession = client.prepare(
    `INSERT INTO evaluation_sessions (uid, integration_id, status, external_session_id, metadata, started_at, expires_at, ended_at)
     VALUES (?, ${integration}, ?, ?, '{}', ?, ?, ?)`,
  );
  const insertState = client.prepare(
    `INSERT INTO session_states (session_id, action_count, warning_count, block_count, review_count, rejection_count, data_tags,
       tool_counts, last_evaluation_id)
     VALUES (?, ?, 0, 0, 0, 0, '[]', ?, ?)`,
  );
  const insertEvaluation = client.prepare(
    `INSERT INTO evaluations (uid, integration_id, session_id, seq, previous_id, transport, tool, outcome,
       enforcement_action, policy_set_id, input, created_at, chain_seq, entry_hash)
     VALUES (?, ${integration}, ?, ?, ?, 'REST', 'crm.lookup', 'ALLOW', 'ALLOW', ${set}, ?, ?, ?, '${'0'.repeat(64)}')`,
  );
  const insertMark = client.prepare('INSERT INTO session_marks VALUES (?, ?, ?)');
  const input = JSON.stringify({ tool: 'crm.lookup', query: 'status of the order '.repeat(12) });
  const start = Date.now() - 30 * 86_400_000;
  const each = Math.floor(evaluations / sessions);
  const ids: string[] = [];

  const fill = client.transaction((count: number) => {
    for (let place = 0; place < count; place++) {
      const uid = newId();
      const at = start + ids.length;
      const ended = ids.length % 10 > 0;
      const { lastInsertRowid: session } = insertSession.run(
        uid,
        ended ? 'COMPLETED' : 'ACTIVE',
        uid,
        at,
        at + 86_400_000,
        ended ? at : null,
      );
      let previous: number | null = null;
      for (let seq = 1; seq <= each; seq++) {
        const row: number = Number(
          insertEvaluation.run(newId(), session, seq, previous, input, at, seq).lastInsertRowid,
        );
        previous = row;
        if (seq % 100 === 0) insertMark.run(session, seq, row);
      }
      insertState.run(session, each, JSON.stringify([['crm.lookup', each]]), previous);
      ids.push(uid);
    }
  });
  while (ids.length < sessions) fill(Math.min(5_000, sessions - ids.length));
  client.pragma('wal_checkpoint(TRUNCATE)');
  client.close();
  return ids;
}
