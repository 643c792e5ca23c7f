import type { ReplayFilter, ReplayRange, ReplaySource } from '../replay.ts';
import type { Client } from './client.ts';

/** Says which rows a replay has to read, so that it meets every selected evaluation with the state that it had. */
export function createReplayRange(client: Client): ReplaySource['range'] {
  const one = <Row>(sql: string) => client.prepare<unknown[], Row>(sql);
  const lastRow = one<{ id: number }>('SELECT coalesce(max(id), 0) AS id FROM evaluations');
  const timeFrom = one<{ id: number; at: number }>(
    'SELECT id, created_at AS at FROM evaluations WHERE id >= ? ORDER BY id LIMIT 1',
  );
  const integration = one<{ id: number }>('SELECT id FROM integrations WHERE uid = ?');
  const session = one<{ id: number; root: string }>(
    `SELECT id, coalesce(place ->> '$.rootId', uid) AS root FROM evaluation_sessions WHERE uid = ?`,
  );
  const tree = one<{ id: number; startedAt: number; last: number }>(
    `SELECT s.id, s.started_at AS "startedAt", coalesce(t.last_evaluation_id, 0) AS last
     FROM evaluation_sessions s LEFT JOIN session_states t ON t.session_id = s.id
     WHERE s.uid = ? OR s.place ->> '$.rootId' = ?`,
  );
  const delegates = one(
    `SELECT 1 FROM evaluation_sessions WHERE parent_uid IS NOT NULL AND place ->> '$.delegatedBy' <> '[]' LIMIT 1`,
  );
  // Of the trees that something was recorded in from a row on: what their roots met counts for all of them.
  const firstStart = one<{ at: number | null }>(
    `SELECT min(coalesce(r.started_at, s.started_at)) AS at FROM evaluation_sessions s
     JOIN session_states t ON t.session_id = s.id
     LEFT JOIN evaluation_sessions r ON r.uid = s.place ->> '$.rootId'
     WHERE t.last_evaluation_id >= ?`,
  );

  /** The first row made at that time or later: rows are appended in the order of time. */
  function rowAt(time: number, last: number): number {
    let [low, high] = [1, last + 1];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const found = timeFrom.get(middle);
      if (found && found.at < time) low = found.id + 1;
      else high = middle;
    }
    return low;
  }

  return ({ integrationId, sessionId, from, to }: ReplayFilter, isWide): ReplayRange | null => {
    const all = lastRow.get()?.id ?? 0;
    const firstSelected = from === undefined ? 1 : rowAt(from, all);
    const last = to === undefined ? all : rowAt(to, all) - 1;
    const owner = integrationId === undefined ? null : integration.get(integrationId.toLowerCase());
    const asked = sessionId === undefined ? null : session.get(sessionId.toLowerCase());
    if (owner === undefined || asked === undefined) return null;
    const integrationRows = owner && !delegates.get() ? [owner.id] : null;
    const range = { firstSelected, last, integrationRows, sessionRows: null, after: 0 };
    if (isWide) return range;
    if (asked) {
      const sessions = tree.all(asked.root, asked.root);
      const start = Math.min(...sessions.map(({ startedAt }) => startedAt));
      return {
        ...range,
        last: Math.min(last, Math.max(...sessions.map(({ last: own }) => own))),
        after: rowAt(start, all) - 1,
        integrationRows: null,
        sessionRows: sessions.map(({ id }) => id),
      };
    }
    if (firstSelected === 1) return range;
    const start = firstStart.get(firstSelected)?.at ?? null;
    const after = start === null ? firstSelected - 1 : Math.min(firstSelected, rowAt(start, all)) - 1;
    return { ...range, after };
  };
}
