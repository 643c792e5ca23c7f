import { desc, sql } from 'drizzle-orm';
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
