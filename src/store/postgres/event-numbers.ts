import { isNull, sql } from 'drizzle-orm';
import type { Db, Postgres } from './database.ts';
import { eventLog, events } from './tables.ts';

/** What a row costs beside its texts, in bytes: the row, its entries in indexes, and the numbers. */
const rowBytes = 160;
const numberedAtOnce = 5_000;

/**
 * Numbers events that are committed, in the order in which they were written, and returns the number of the latest. A row
 * lock lets one process at a time do so: what is not committed yet gets a later number, so a reader that goes by numbers
 * misses nothing, and no commit waits for another one.
 */
export async function numberEvents(tx: Db): Promise<number> {
  await tx.select().from(eventLog).for('update');
  // A statement of its own: it must see what was committed while this one waited for the lock.
  const { rows } = await tx.execute<{ sequence: string }>(sql`
    WITH numbered AS (
      SELECT place, row_number() OVER (ORDER BY place) AS number,
        sum(octet_length(data) + octet_length(subject) + ${rowBytes}::int) OVER (ORDER BY place) AS bytes
      FROM (SELECT place, data, subject FROM events WHERE sequence IS NULL ORDER BY place LIMIT ${numberedAtOnce}) AS next
    ), written AS (
      UPDATE events SET sequence = log.sequence + number, total_bytes = log.total_bytes + bytes
      FROM numbered, event_log AS log WHERE events.place = numbered.place
    )
    UPDATE event_log SET sequence = sequence + (SELECT count(*) FROM numbered),
      total_bytes = total_bytes + (SELECT coalesce(max(bytes), 0) FROM numbered)
    RETURNING sequence`);
  return Number(rows[0]?.sequence);
}

/** Numbers what any process has written. */
export async function numberAll({ read, change }: Postgres): Promise<void> {
  const isBehind = () =>
    read(
      async (db) =>
        (await db.select({ place: events.place }).from(events).where(isNull(events.sequence)).limit(1))
          .length > 0,
    );
  while (await isBehind()) await change(numberEvents);
}
