import { setTimeout } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type { Postgres } from './database.ts';

/** The position up to which a reader of the whole record may read. */
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
  /**
   * The transactions that run in this database: each holds the lock of its own number until it has ended and everybody sees what it
   * wrote. A snapshot does not list the newest of them, and the server numbers those of all its databases alike; another
   * database's may stay open for hours. Each call sees a moment of its own.
   */
  const running = (): Promise<string[]> =>
    read(async (db) => {
      const { rows } = await db.execute<{ xid: string }>(sql`
        SELECT transactionid::text AS xid FROM pg_locks LEFT JOIN pg_stat_activity USING (pid)
        WHERE locktype = 'transactionid' AND mode = 'ExclusiveLock' AND granted AND coalesce(datname = current_database(), true)`);
      return rows.map(({ xid }) => xid);
    });

  async function look(): Promise<number> {
    // In this order: a transaction that begins in between can only draw greater ones.
    const last = await lastDrawn();
    let awaited = await running();
    const giveUpAt = performance.now() + longestWaitMs;
    for (let pauseMs = firstPauseMs; awaited.length > 0; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      if (performance.now() >= giveUpAt) return known;
      await setTimeout(pauseMs);
      const left = await running();
      awaited = awaited.filter((xid) => left.includes(xid));
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
