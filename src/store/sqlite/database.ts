import { type BetterSQLite3Database, drizzle } from 'drizzle-orm/better-sqlite3';
import type { CommitObserver } from '../store.ts';
import { type Client, unavailable } from './client.ts';
import type { DiskReserve, Urgency } from './file/disk-reserve.ts';
import type { WalSync } from './file/wal-sync.ts';
import { steadyDrizzle } from './hot-statement.ts';
import { createWriter, type Writer } from './writer.ts';

/** The database as every part of this backend uses it. */
export interface Sqlite {
  client: Client;
  db: BetterSQLite3Database;
  /** The same for statements that are prepared once and run often. */
  steady: BetterSQLite3Database;
  writer: Writer;
  /**
   * Runs a read, whose statements all see the same moment, and returns once everything it may have seen is on disk. A
   * failing database becomes an `AppError` of code `unavailable`.
   */
  read<T>(query: () => T): Promise<T>;
  /**
   * The same without the wait, to read who the caller is and which policies decide. The response waits for the disk anyway;
   * otherwise it would wait twice. What this read saw is on disk before whatever is written because of it.
   */
  look<T>(query: () => T): Promise<T>;
  /** Says that what decides, or a key, was changed by this process. */
  touch(): void;
  /** Differs from its last value when what decides, or a key, may have changed since, by this process or another one. */
  changeCount(): number;
}

/** The same, with every change as urgent as this. */
export const asUrgent = (sqlite: Sqlite, needed: Urgency): Sqlite => ({
  ...sqlite,
  writer: { ...sqlite.writer, run: (change) => sqlite.writer.run(change, needed) },
});

export function createSqlite(
  client: Client,
  wal: WalSync,
  reserve: DiskReserve,
  commits?: CommitObserver,
): Sqlite {
  const db = drizzle(client, { casing: 'snake_case' });
  const dataVersion = client.prepare('PRAGMA data_version').pluck();
  const writer = createWriter(client, wal, reserve, commits);
  // Statements on their own would each take the file's locks and look up the end of the log anew: system calls that cost
  // more than a small read, and another process may write between them.
  const atOneMoment = client.transaction((query: () => unknown) => query());
  async function look<T>(query: () => T): Promise<T> {
    return atOnce(() => atOneMoment(query) as T);
  }
  let seen = dataVersion.get();
  let changeCount = 0;
  let looked = false;
  return {
    client,
    db,
    steady: steadyDrizzle(client),
    writer,
    async read(query) {
      const result = await look(query);
      await writer.durable();
      return result;
    },
    look,
    touch() {
      changeCount++;
    },
    changeCount() {
      // data_version moves when another connection commits, so keys revoked by another process stop at once here too.
      // Asking takes a lock on the file: once in a turn of the event loop is enough.
      if (looked) return changeCount;
      looked = true;
      setImmediate(() => {
        looked = false;
      });
      const now = atOnce(() => dataVersion.get());
      if (now !== seen) {
        seen = now;
        changeCount++;
      }
      return changeCount;
    },
  };
}

function atOnce<T>(query: () => T): T {
  try {
    return query();
  } catch (error) {
    throw unavailable(error);
  }
}
