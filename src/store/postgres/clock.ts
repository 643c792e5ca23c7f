import { desc, sql } from 'drizzle-orm';
import type pg from 'pg';
import type { ClockReading, ClockStore, KeptClock } from '../clock.ts';
import type { Db, Postgres } from './database.ts';
import { clock, evaluations } from './tables.ts';

/**
 * Changes do not write the time: a row that all of them write would make each wait for the others. The latest evaluation says
 * it as well.
 */
export function createClockStore({ read, change }: Postgres, now: () => number): ClockStore {
  let follow: (() => ClockReading) | null = null;
  let keptJump: number | null = null;

  return {
    now,
    find: () => read(findClock),
    follow(source) {
      follow = source;
    },
    async keep() {
      const reading = follow?.();
      if (!reading) return read(findClock);
      const { latestAt, jumpedFrom } = reading;
      const retentionHeldAt = jumpedFrom === keptJump ? null : jumpedFrom;
      const kept = await change(async (tx) => {
        await tx
          .insert(clock)
          .values({ id: 1, latestAt, retentionHeldAt })
          .onConflictDoUpdate({
            target: clock.id,
            set: {
              latestAt: sql`greatest(clock.latest_at, excluded.latest_at)`,
              retentionHeldAt: sql`coalesce(clock.retention_held_at, excluded.retention_held_at)`,
            },
          });
        return findClock(tx);
      });
      keptJump = jumpedFrom;
      return kept;
    },
  };
}

async function findClock(db: Db): Promise<KeptClock> {
  const { latestAt, retentionHeldAt } = clock;
  const [kept] = await db.select({ latestAt, retentionHeldAt }).from(clock);
  const [latest] = await db
    .select({ at: evaluations.createdAt })
    .from(evaluations)
    .orderBy(desc(evaluations.position))
    .limit(1);
  return {
    latestAt: Math.max(kept?.latestAt ?? 0, latest?.at ?? 0),
    retentionHeldAt: kept?.retentionHeldAt ?? null,
  };
}

/** The time of PostgreSQL's server, in milliseconds since 1970. */
interface ServerClock {
  now(): number;
  close(): void;
}

const measureEveryMs = 2_000;
const samples = 3;

/**
 * Measures the clock of the server again and again, and carries it on by one that nobody can set: replicas have the same time,
 * to within half of what a query takes, whatever the clocks of their machines say. While the server cannot be reached, the
 * time goes on.
 */
export async function openServerClock(pool: Pick<pg.Pool, 'query'>): Promise<ServerClock> {
  let ahead = await measure(pool);
  const timer = setInterval(() => {
    measure(pool).then(
      (measured) => {
        ahead = measured;
      },
      () => undefined,
    );
  }, measureEveryMs).unref();
  return {
    now: () => Math.floor(performance.now() + ahead),
    close: () => clearInterval(timer),
  };
}

/** How far the server's clock is ahead of the time that this process runs. The quickest response says it best. */
async function measure(pool: Pick<pg.Pool, 'query'>): Promise<number> {
  let best = { ahead: Number.NaN, took: Number.POSITIVE_INFINITY };
  for (let sample = 0; sample < samples; sample++) {
    const sentAt = performance.now();
    const { rows } = await pool.query<{ now: number }>(
      'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS now',
    );
    const took = performance.now() - sentAt;
    const [{ now } = { now: Number.NaN }] = rows;
    if (took < best.took) best = { ahead: now - sentAt - took / 2, took };
  }
  return best.ahead;
}
