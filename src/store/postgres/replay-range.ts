import type { ReplaySource } from '../replay.ts';
import { type RangeReads, replayRange } from '../replay-range.ts';
import type { BlockingClient } from './blocking-client.ts';
import { slackMs } from './evaluation-times.ts';
import type { RowNumbers } from './row-numbers.ts';

export function createReplayRange(
  client: Pick<BlockingClient, 'all'>,
  integrations: RowNumbers,
  sessions: RowNumbers,
): ReplaySource['range'] {
  const one = <Row>(text: string, ...values: unknown[]): Row | undefined => client.all<Row>(text, values)[0];
  const reads: RangeReads = {
    slackMs,
    lastRow: () =>
      one<{ last: number }>('SELECT coalesce(max(position), 0) AS last FROM evaluations')?.last ?? 0,
    rowFrom: (row) =>
      one<{ row: number; at: number }>(
        'SELECT position AS row, created_at AS at FROM evaluations WHERE position >= $1 ORDER BY position LIMIT 1',
        row,
      ),
    integrationRow(id) {
      const found = one<{ id: string }>('SELECT id FROM integrations WHERE id = $1', id);
      return found && integrations.of(found.id);
    },
    rootOf: (id) =>
      one<{ root: string }>(
        'SELECT coalesce(root_uid, id) AS root FROM evaluation_sessions WHERE id = $1',
        id,
      )?.root,
    treeOf: (root) =>
      client
        .all<{ id: string; startedAt: number; last: number }>(
          `SELECT s.id, s.started_at AS "startedAt",
             coalesce((SELECT max(position) FROM evaluations e WHERE e.session_id = s.id), 0) AS last
           FROM evaluation_sessions s WHERE s.id = $1 OR s.root_uid = $1`,
          [root],
        )
        .map(({ id, ...session }) => ({ ...session, row: sessions.of(id) })),
    hasDelegates: () =>
      one(
        `SELECT 1 FROM evaluation_sessions WHERE parent_uid IS NOT NULL AND place::json ->> 'delegatedBy' <> '[]' LIMIT 1`,
      ) !== undefined,
    firstStart: (row) =>
      one<{ at: number | null }>(
        `SELECT min(coalesce(r.started_at, s.started_at)) AS at
         FROM evaluation_sessions s LEFT JOIN evaluation_sessions r ON r.id = s.root_uid
         WHERE s.id IN (SELECT session_id FROM evaluations WHERE position >= $1)`,
        row,
      )?.at ?? null,
  };
  return (filter, isWide) => replayRange(reads, filter, isWide);
}
