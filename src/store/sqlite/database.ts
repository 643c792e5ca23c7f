import { type BetterSQLite3Database, drizzle } from 'drizzle-orm/better-sqlite3';
import { type Client, unavailable } from './client.ts';
import type { WalSync } from './wal-sync.ts';
import { createWriter, type Writer } from './writer.ts';

/** What every part of this backend works with. */
export interface Sqlite {
  client: Client;
  db: BetterSQLite3Database;
  writer: Writer;
  /**
   * Runs a read, and answers once everything it may have seen is on disk. A failing database becomes an `AppError` of
   * code `unavailable`.
   */
  read<T>(query: () => T): Promise<T>;
  /** Says that an integration, key, policy or binding was changed by this process. */
  touch(): void;
  revision(): number;
}

export function createSqlite(client: Client, wal: WalSync): Sqlite {
  const db = drizzle(client, { casing: 'snake_case' });
  const dataVersion = client.prepare('PRAGMA data_version').pluck();
  const writer = createWriter(client, wal);
  let seen = dataVersion.get();
  let revision = 1;
  let looked = false;
  return {
    client,
    db,
    writer,
    async read(query) {
      let result: Awaited<ReturnType<typeof query>>;
      try {
        result = query() as typeof result;
      } catch (error) {
        throw unavailable(error);
      }
      await writer.durable();
      return result;
    },
    touch() {
      revision++;
    },
    revision() {
      // data_version moves when another connection commits, so keys revoked by another process stop at once here too.
      // Asking takes a lock on the file: once in a turn of the event loop is enough.
      if (looked) return revision;
      looked = true;
      setImmediate(() => {
        looked = false;
      });
      const now = dataVersion.get();
      if (now !== seen) {
        seen = now;
        revision++;
      }
      return revision;
    },
  };
}
