import type { SessionStatus } from '../../../features/sessions/schema.ts';
import type { Sqlite } from '../database.ts';
import { hideValues } from '../hot-statement.ts';

/** Pages of sessions at nearly the same cost however many there are and however deep the page. */
export interface SessionRanks {
  /** Row ids, newest first, leaving out the newest `offset`; and how many there are. Of all integrations when null. */
  pageOf(
    integrationRow: number | null,
    status: SessionStatus | undefined,
    now: number,
    page: { limit: number; offset: number },
  ): { ids: number[]; total: number };
}

/** Neighbouring sessions that are counted together; the migration that made `session_blocks` has the same number. */
const blockSize = 4_096;

/**
 * How many sessions of a block are listed, and which. Most are opened, and expire, at about the same time: only in the few
 * blocks where some have expired and others not are the sessions themselves counted.
 */
const lists: Record<SessionStatus | 'all', { count: string; which: string }> = {
  all: { count: 'open_count + completed_count + terminated_count', which: 'true' },
  COMPLETED: { count: 'completed_count', which: "status = 'COMPLETED'" },
  TERMINATED: { count: 'terminated_count', which: "status = 'TERMINATED'" },
  ACTIVE: openOnes('expires_at > @now', 'soonest_expiry > @now', 'latest_expiry <= @now'),
  EXPIRED: openOnes('expires_at <= @now', 'latest_expiry <= @now', 'soonest_expiry > @now'),
};

function openOnes(which: string, whenAll: string, whenNone: string): { count: string; which: string } {
  const open = `status = 'ACTIVE' AND ${which}`;
  const counted = `SELECT count(*) FROM evaluation_sessions AS session WHERE session.integration_id = session_blocks.integration_id
    AND session.id >= block * ${blockSize} AND session.id < (block + 1) * ${blockSize} AND ${open}`;
  return {
    count: `CASE WHEN open_count = 0 OR ${whenNone} THEN 0 WHEN ${whenAll} THEN open_count ELSE (${counted}) END`,
    which: open,
  };
}

export function createSessionRanks({ client }: Pick<Sqlite, 'client'>): SessionRanks {
  function prepare({ count, which }: { count: string; which: string }, owner: string) {
    return {
      blocks: client.prepare<object, { block: number; count: number }>(
        hideValues(
          `SELECT block, sum(${count}) AS count FROM session_blocks WHERE ${owner} GROUP BY block ORDER BY block DESC`,
        ),
      ),
      rows: client
        .prepare<object, number>(
          hideValues(`SELECT id FROM evaluation_sessions WHERE ${owner} AND id >= @from AND id < @to AND ${which}
            ORDER BY id DESC LIMIT @limit OFFSET @offset`),
        )
        .pluck(),
    };
  }
  const prepareAll = (owner: string) => ({
    all: prepare(lists.all, owner),
    COMPLETED: prepare(lists.COMPLETED, owner),
    TERMINATED: prepare(lists.TERMINATED, owner),
    ACTIVE: prepare(lists.ACTIVE, owner),
    EXPIRED: prepare(lists.EXPIRED, owner),
  });
  const ofOne = prepareAll('integration_id = @integrationRow');
  const ofAll = prepareAll('true');

  return {
    pageOf(integrationRow, status, now, { limit, offset }) {
      const { blocks, rows } = (integrationRow === null ? ofAll : ofOne)[status ?? 'all'];
      const ids: number[] = [];
      let total = 0;
      for (const { block, count } of blocks.all({ integrationRow, now })) {
        const skipped = Math.max(0, offset - total);
        total += count;
        if (skipped >= count || ids.length === limit) continue;
        const from = block * blockSize;
        const range = { from, to: from + blockSize, offset: skipped, limit: limit - ids.length };
        ids.push(...rows.all({ integrationRow, now, ...range }));
      }
      return { ids, total };
    },
  };
}
