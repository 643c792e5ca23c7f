import { readMigrationFiles } from 'drizzle-orm/migrator';
import type pg from 'pg';
import { type SchemaAge, unreleasedSchema } from '../maintenance.ts';
import { assertUsable, beginUntimed, createClient, patientlyIdle, untimed } from './client.ts';

/** Has the name and columns that drizzle's tools expect. */
const migrationTable = `CREATE TABLE IF NOT EXISTS __drizzle_migrations (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, hash text NOT NULL, created_at bigint NOT NULL
)`;
/** The key of the lock that replicas which start at once take, one after another. */
const migrationLock = 4_710_001;

/**
 * Brings the database to this version's schema: all of it or nothing. Throws when it was written by a newer version, because an
 * older one does not know what it must not break, or before 0.2.0, whose schema cannot be upgraded.
 */
export async function migrateDatabase(address: string, folder: string, mustExist = false): Promise<void> {
  const migrations = readMigrationFiles({ migrationsFolder: folder });
  const newest = Math.max(...migrations.map((migration) => migration.folderMillis));
  // Waits for another replica that migrates, and its tables may be large.
  const client = createClient(address, untimed);
  await client.connect();
  try {
    await assertUsable(client);
    await client.query(`${beginUntimed}; ${patientlyIdle}`);
    await client.query('SELECT pg_advisory_xact_lock($1)', [migrationLock]);
    await client.query(migrationTable);
    const { rows } = await client.query<{ applied: number }>(
      'SELECT coalesce(max(created_at), 0) AS applied FROM __drizzle_migrations',
    );
    const applied = rows[0]?.applied ?? 0;
    if (mustExist && applied === 0)
      throw new Error('the database is empty, and ASSIZE_DATABASE_MUST_EXIST is true');
    if (applied > newest)
      throw new Error('the database was written by a newer version of assize: start that version');
    if (applied > 0 && (await firstApplied(client)) !== migrations[0]?.hash)
      throw new Error(unreleasedSchema);
    for (const { sql, hash, folderMillis } of migrations) {
      if (folderMillis <= applied) continue;
      for (const statement of sql) await client.query(statement);
      await client.query('INSERT INTO __drizzle_migrations (hash, created_at) VALUES ($1, $2)', [
        hash,
        folderMillis,
      ]);
    }
    await client.query('COMMIT');
  } finally {
    await client.end();
  }
}

async function firstApplied(client: Pick<pg.ClientBase, 'query'>): Promise<string | undefined> {
  const { rows } = await client.query<{ hash: string }>(
    'SELECT hash FROM __drizzle_migrations ORDER BY created_at, id LIMIT 1',
  );
  return rows[0]?.hash;
}

/** Changes nothing. */
export async function compareSchema(
  client: Pick<pg.ClientBase, 'query'>,
  folder: string,
): Promise<SchemaAge> {
  const { rows: tables } = await client.query<{ id: string | null }>(
    "SELECT to_regclass('__drizzle_migrations')::text AS id",
  );
  if (!tables[0]?.id) return 'foreign';
  const newest = newestOf(folder);
  const { rows } = await client.query<{ applied: number }>(
    'SELECT coalesce(max(created_at), 0) AS applied FROM __drizzle_migrations',
  );
  const applied = rows[0]?.applied ?? 0;
  return applied === newest ? 'current' : applied < newest ? 'older' : 'newer';
}

const newestOf = (folder: string): number =>
  Math.max(...readMigrationFiles({ migrationsFolder: folder }).map((migration) => migration.folderMillis));

/** Refuses a database to which only some of another one was copied. */
export async function assertNotHalfMoved(address: string): Promise<void> {
  const client = createClient(address);
  await client.connect();
  try {
    const { rows } = await client.query<{ id: string | null }>(
      "SELECT to_regclass('unfinished_move')::text AS id",
    );
    if (rows[0]?.id)
      throw new Error(
        'a move to this database was not finished: run assize migrate-to with its address again',
      );
  } finally {
    await client.end();
  }
}
