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
  const client = openBeside(t, app);
  // A partial index names its table in its condition, which the legacy rename leaves as it is, and then refuses.
  const indexes = client
    .prepare("SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = ? AND sql LIKE '% WHERE %'")
    .pluck()
    .all(table);
  for (const index of indexes) client.exec(`DROP INDEX "${index}"`);
  client.exec(`PRAGMA legacy_alter_table = ON; ALTER TABLE "${table}" RENAME TO "broken_${table}"`);
}
