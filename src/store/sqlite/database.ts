import { type BetterSQLite3Database, drizzle } from 'drizzle-orm/better-sqlite3';
import { type Client, unavailable } from './client.ts';
import { createWriter, type Writer } from './writer.ts';

/** What every part of this backend works with. */
export interface Sqlite {
  client: Client;
  db: BetterSQLite3Database;
  writer: Writer;
  /** Runs a read; a failing database becomes an `AppError` of code `unavailable`. */
  read<T>(query: () => T): Promise<T>;
  /** Says that an integration, key, policy or binding was changed by this process. */
  touch(): void;
  revision(): number;
}

export function createSqlite(client: Client): Sqlite {
  const db = drizzle(client, { casing: 'snake_case' });
  const dataVersion = client.prepare('PRAGMA data_version').pluck();
  let seen = dataVersion.get();
  let revision = 1;
  return {
    client,
    db,
    writer: createWriter(client),
    async read(query) {
      try {
        return query();
      } catch (error) {
        throw unavailable(error);
      }
    },
    touch() {
      revision++;
    },
    revision() {
      // data_version moves when another connection commits, so keys revoked by another process stop at once here too.
      const now = dataVersion.get();
      if (now !== seen) {
        seen = now;
        revision++;
      }
      return revision;
    },
  };
}
