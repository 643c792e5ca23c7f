import Database from 'better-sqlite3';
import type { Test } from 'tap';

/**
 * Answers every row of every table but the record of calls, and the end of its chain, as one text, so that two moments compare
 * byte by byte. Any request may record that its key was used: that is left out, too.
 */
export function openDump(t: Test, file: string): () => string {
  const client = new Database(file, { readonly: true });
  t.teardown(() => client.close());
  const tables = client
    .prepare(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT IN ('audit_entries', 'record_heads') ORDER BY name",
    )
    .pluck()
    .all() as string[];
  const columnsOf = (table: string): string =>
    (client.pragma(`table_info("${table}")`) as { name: string }[])
      .filter(({ name }) => `${table}.${name}` !== 'integration_keys.last_used_at')
      .map(({ name }) => `"${name}"`)
      .join();
  const rows = tables.map(
    (table) => [table, client.prepare(`SELECT ${columnsOf(table)} FROM "${table}"`).raw()] as const,
  );
  return () => rows.map(([table, select]) => `${table} ${JSON.stringify(select.all())}`).join('\n');
}
