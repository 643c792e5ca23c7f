import { setTimeout } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type { Postgres } from './database.ts';

/** What readers of everything that is recorded may read up to. */
export interface FinalPosition {
  /**
   * A position up to which nothing more will be recorded: at least that of everything recorded before the call, unless a
   * transaction stays open for long.
   */
  find(): Promise<number>;
}

/** Recording takes a few milliseconds. Whoever stays longer makes readers wait, but does not hold up this call. */
const longestWaitMs = 250;
const firstPauseMs = 2;
const longestPauseMs = 16;

/**
 * A position is drawn before its transaction commits, so what has a greater one can be visible before what has a smaller one. A
 * position that was drawn is final when every transaction that was running then has ended; transactions get their number
 * before they draw positions.
 */
export function createFinalPosition({ read }: Pick<Postgres, 'read'>): FinalPosition {
  let known = 0;
  let latest: Promise<unknown> = Promise.resolve();
  let next: Promise<number> | null = null;

  const lastDrawn = (): Promise<number> =>
    read(async (db) => {
      const { rows } = await db.execute<{ last: string }>(
        sql`SELECT CASE WHEN is_called THEN last_value ELSE 0 END AS last FROM record_positions`,
      );
      return Number(rows[0]?.last);
    });
  /** The first transaction that still runs, and the first that has not begun. Each call sees a moment of its own. */
  const running = (): Promise<{ from: bigint; to: bigint }> =>
    read(async (db) => {
      const { rows } = await db.execute<{ from: string; to: string }>(
        sql`SELECT pg_snapshot_xmin(now) AS "from", pg_snapshot_xmax(now) AS "to" FROM pg_current_snapshot() AS now`,
      );
      return { from: BigInt(rows[0]?.from ?? 0), to: BigInt(rows[0]?.to ?? 0) };
    });

  async function look(): Promise<number> {
    // In this order: a transaction that begins in between can only draw greater ones.
    const last = await lastDrawn();
    const { from, to } = await running();
    const giveUpAt = performance.now() + longestWaitMs;
    let first = from;
    let pauseMs = firstPauseMs;
    while (first < to) {
      if (performance.now() >= giveUpAt) return known;
      await setTimeout(pauseMs);
      first = (await running()).from;
      pauseMs = Math.min(2 * pauseMs, longestPauseMs);
    }
    known = Math.max(known, last);
    return known;
  }

  return {
    find() {
      // Callers that arrive while a search runs share the next one: a search must begin after the call it answers.
      next ??= latest.then(() => {
        next = null;
        const found = look();
        latest = found.catch(() => undefined);
        return found;
      });
      return next;
    },
  };
}
