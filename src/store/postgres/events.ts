import { randomUUID } from 'node:crypto';
import { and, asc, eq, getTableColumns, gt, isNull, sql } from 'drizzle-orm';
import type {
  EventColumns,
  EventDatabase,
  EventStore,
  NewEvent,
  StoredEvent,
} from '../../features/events/store.ts';
import { asPostgres } from '../../sql/postgres/sql.ts';
import { call } from '../../sql/steps.ts';
import { afterCommit, type Db, type Postgres } from './database.ts';
import { eventLog, events, webhookProgress } from './tables.ts';

/** The size of a row beside its texts, in bytes: the row, its entries in indexes, and the numbers. */
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

/** The log from inside a change: what is appended is kept with that change, or not at all. */
export interface EventLog {
  append(tx: Db, appended: readonly NewEvent[]): Promise<void>;
}

const { place, writer: _, totalBytes: __, ...stored } = getTableColumns(events);
export const storedColumns = stored;
/** Typed as SQLite's (`asPostgres`). An event that readers see has its number. */
export const eventColumns = { key: place, stored } as unknown as EventColumns;
type NumberedEvent = NewEvent & { sequence: number | null };

/** The event of a row that has its number. */
export const toEvent = (row: NumberedEvent): StoredEvent => ({ ...row, sequence: row.sequence ?? 0 });

export function createEventLog(
  postgres: Postgres,
): EventLog & Pick<EventStore, 'onAppended'> & { database: EventDatabase } {
  const { read } = postgres;
  const listeners: ((events: readonly StoredEvent[]) => void)[] = [];
  const writer = randomUUID();
  /** Events of this process up to this number were told of; null before it wrote any. */
  let toldUpTo: number | null = null;
  let isBehind = false;
  let telling: Promise<void> | null = null;

  /** Numbers what this process wrote, and tells of it. Resolves when nothing is left to tell. */
  function tellAll(): Promise<void> {
    telling ??= tellNext().finally(() => {
      telling = null;
    });
    return telling;
  }
  async function tellNext(): Promise<void> {
    while (isBehind) {
      isBehind = false;
      try {
        await numberAll(postgres);
        const own = and(gt(events.sequence, toldUpTo ?? 0), eq(events.writer, writer));
        const rows = await read((db) =>
          db.select(stored).from(events).where(own).orderBy(asc(events.sequence)),
        );
        const untold = rows.map(toEvent);
        for (const tell of listeners) if (untold.length > 0) tell(untold);
        toldUpTo = untold.at(-1)?.sequence ?? toldUpTo;
      } catch (error) {
        // They stay in the log, and are told of with the next ones.
        isBehind = true;
        throw error;
      }
    }
  }
  /** Readers find what was committed before they asked, whichever process wrote it. */
  async function settle(): Promise<void> {
    await tellAll();
    await numberAll(postgres);
  }

  return {
    async append(tx, appended) {
      if (appended.length === 0) return;
      toldUpTo ??= (await latestEvent(tx)).sequence;
      await tx.insert(events).values(appended.map((event) => ({ ...event, writer })));
      afterCommit(tx, () => {
        isBehind = true;
        tellAll().catch(() => undefined);
      });
    },

    onAppended: (tell) => void listeners.push(tell),

    database: {
      columns: eventColumns,
      settle,
      latest: (db) => call(() => latestEvent(asPostgres(db))),
      *holdDeliveries(db) {
        yield* call(() => asPostgres(db).select().from(webhookProgress).for('update'));
      },
    },
  };
}

/** The number of the latest event ever numbered, and the bytes of all events up to it. */
export async function latestEvent(db: Db): Promise<{ sequence: number; totalBytes: number }> {
  const { sequence, totalBytes } = eventLog;
  const [log] = await db.select({ sequence, totalBytes }).from(eventLog);
  return log ?? { sequence: 0, totalBytes: 0 };
}
