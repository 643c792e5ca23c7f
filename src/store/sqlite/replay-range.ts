import type { ReplaySource } from '../replay.ts';
import { type RangeReads, replayRange } from '../replay-range.ts';
import type { Client } from './client.ts';

export function createReplayRange(client: Client): ReplaySource['range'] {
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
