import type { ReplayFilter, ReplayRange, ReplaySource } from '../replay.ts';
import type { BlockingClient } from './blocking-client.ts';
import { slackMs } from './evaluation-times.ts';
import type { RowNumbers } from './row-numbers.ts';

/** Says which rows a replay has to read, so that it meets every selected evaluation with the state that it had. */
export function createReplayRange(
  client: Pick<BlockingClient, 'all'>,
  integrations: RowNumbers,
  sessions: RowNumbers,
): ReplaySource['range'] {
  const one = <Row>(text: string, ...values: unknown[]): Row | undefined => client.all<Row>(text, values)[0];

  /** The first position made at that time or later, found by halves: positions are drawn in the order of time, nearly. */
  function positionAt(time: number, last: number): number {
    let [low, high] = [1, last + 1];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const found = one<{ position: number; at: number }>(
        'SELECT position, created_at AS at FROM evaluations WHERE position >= $1 ORDER BY position LIMIT 1',
        middle,
      );
      if (found && found.at < time) low = found.position + 1;
      else high = middle;
    }
    return low;
  }

  return ({ integrationId, sessionId, from, to }: ReplayFilter, isWide): ReplayRange | null => {
    const all =
      one<{ last: number }>('SELECT coalesce(max(position), 0) AS last FROM evaluations')?.last ?? 0;
    const firstSelected = from === undefined ? 1 : positionAt(from - slackMs, all);
    const last = to === undefined ? all : positionAt(to + slackMs, all) - 1;
    const owner =
      integrationId === undefined
        ? null
        : one<{ id: string }>('SELECT id FROM integrations WHERE id = $1', integrationId);
    const asked =
      sessionId === undefined
        ? null
        : one<{ root: string }>(
            'SELECT coalesce(root_uid, id) AS root FROM evaluation_sessions WHERE id = $1',
            sessionId,
          );
    if (owner === undefined || asked === undefined) return null;
    const delegates = one(
      `SELECT 1 FROM evaluation_sessions WHERE parent_uid IS NOT NULL AND place::json ->> 'delegatedBy' <> '[]' LIMIT 1`,
    );
    const integrationRows = owner && !delegates ? [integrations.of(owner.id)] : null;
    const range = { firstSelected, last, integrationRows, sessionRows: null, after: 0 };
    if (isWide) return range;
    if (asked) {
      const tree = client.all<{ id: string; startedAt: number; last: number }>(
        `SELECT s.id, s.started_at AS "startedAt",
           coalesce((SELECT max(position) FROM evaluations e WHERE e.session_id = s.id), 0) AS last
         FROM evaluation_sessions s WHERE s.id = $1 OR s.root_uid = $1`,
        [asked.root],
      );
      const start = Math.min(...tree.map(({ startedAt }) => startedAt));
      return {
        ...range,
        last: Math.min(last, Math.max(...tree.map((session) => session.last))),
        after: positionAt(start - slackMs, all) - 1,
        integrationRows: null,
        sessionRows: tree.map(({ id }) => sessions.of(id)),
      };
    }
    if (firstSelected === 1) return range;
    // Of the trees that something was recorded in from there on: what their roots met counts for all of them.
    const start = one<{ at: number | null }>(
      `SELECT min(coalesce(r.started_at, s.started_at)) AS at
       FROM evaluation_sessions s LEFT JOIN evaluation_sessions r ON r.id = s.root_uid
       WHERE s.id IN (SELECT session_id FROM evaluations WHERE position >= $1)`,
      firstSelected,
    )?.at;
    const after =
      start == null ? firstSelected - 1 : Math.min(firstSelected, positionAt(start - slackMs, all)) - 1;
    return { ...range, after };
  };
}
