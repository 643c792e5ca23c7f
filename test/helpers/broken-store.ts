import Database from 'better-sqlite3';
import type { Test } from 'tap';
import type { TestApp } from './app.ts';

/** Another connection to the database of a running app, for what only another process does. */
export function openBeside(t: Test, app: TestApp): Database.Database {
  const client = new Database(app.database, { timeout: 0 });
  t.teardown(() => client.close());
  return client;
}

/** Makes every use of a table fail, as damage to the file would. */
export function breakTable(t: Test, app: TestApp, table: string): void {
  openBeside(t, app).exec(
    `PRAGMA legacy_alter_table = ON; ALTER TABLE "${table}" RENAME TO "broken_${table}"`,
  );
}
