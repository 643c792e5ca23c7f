import { readMigrationFiles } from 'drizzle-orm/migrator';
import { type SchemaAge, unreleasedSchema } from '../../maintenance.ts';
import type { Client } from '../client.ts';

/** Has the name and columns that drizzle's tools expect. */
const migrationTable = `CREATE TABLE IF NOT EXISTS __drizzle_migrations (
  id INTEGER PRIMARY KEY, hash TEXT NOT NULL, created_at INTEGER NOT NULL
) STRICT`;

/**
 * Brings the database to this version's schema: all of it or nothing. Throws when the file was written by a newer version, because an
 * older one does not know what it must not break, or before 0.2.0, whose schema cannot be upgraded.
 */
export function migrateDatabase(client: Client, folder: string): void {
  const migrations = readMigrationFiles({ migrationsFolder: folder });
  const newest = Math.max(...migrations.map((migration) => migration.folderMillis));
  if (newestApplied(client) === newest) return;
  // Not drizzle's own migrate(): it looks before it takes the lock, so of two processes that start on an empty file
  // at once the second would create the tables again, and fail.
  const migrate = client.transaction(() => {
    client.exec(migrationTable);
    const applied = newestApplied(client);
    if (applied > newest) {
      throw new Error(
        'the database was written by a newer version of assize: start that version, or restore a backup',
      );
    }
    if (applied > 0 && firstApplied(client) !== migrations[0]?.hash) throw new Error(unreleasedSchema);
    const keep = client.prepare('INSERT INTO __drizzle_migrations (hash, created_at) VALUES (?, ?)');
    for (const { sql, hash, folderMillis } of migrations) {
      if (folderMillis <= applied) continue;
      for (const statement of sql) client.exec(statement);
      keep.run(hash, folderMillis);
    }
  });
  migrate.immediate();
}

function newestApplied(client: Client): number {
  const known = client.prepare("SELECT 1 FROM sqlite_master WHERE name = '__drizzle_migrations'").get();
  if (known === undefined) return 0;
  return Number(client.prepare('SELECT max(created_at) FROM __drizzle_migrations').pluck().get() ?? 0);
}

const firstApplied = (client: Client): unknown =>
  client.prepare('SELECT hash FROM __drizzle_migrations ORDER BY created_at, id LIMIT 1').pluck().get();

export function compareSchema(client: Client, folder: string): SchemaAge {
  const migrations = readMigrationFiles({ migrationsFolder: folder });
  const applied = newestApplied(client);
  if (applied === 0) return 'foreign';
  // Other programs use drizzle, too: ours begins with our first migration, which is never edited.
  if (firstApplied(client) !== migrations[0]?.hash) return 'foreign';
  const newest = Math.max(...migrations.map((migration) => migration.folderMillis));
  if (applied === newest) return 'current';
  return applied < newest ? 'older' : 'newer';
}
