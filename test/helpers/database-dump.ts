import { isPostgres } from '../../src/store/address.ts';
import type { Lifetime } from './app.ts';
import { openBeside } from './database-beside.ts';

const columnsOf = {
  sqlite: `SELECT m.name AS "table", c.name AS "column" FROM sqlite_master m, pragma_table_info(m.name) c
    WHERE m.type = 'table' ORDER BY m.name, c.cid`,
  postgres: `SELECT table_name AS "table", column_name AS "column" FROM information_schema.columns
    WHERE table_schema = 'public' ORDER BY table_name, ordinal_position`,
};
/**
 * What may be written beside a request: the record of calls and the end of its chain, that a key was used, the time, the
 * salt at its first use, the numbers that events get after their change, and the mark of the last commit.
 */
const leftOut =
  /^(?:audit_entries|record_heads|event_log|clock|installation_salts|commit_marks)\.|^integration_keys\.last_used_at$|^events\.(?:sequence|total_bytes)$/;

/** Answers every row of every table but what each request may write, as one text, so that two moments compare byte by byte. */
export async function openDump(t: Lifetime, database: string): Promise<() => Promise<string>> {
  const beside = await openBeside(t, database);
  const found = await beside.rows(columnsOf[isPostgres(database) ? 'postgres' : 'sqlite']);
  const columns = found.filter(({ table, column }) => !leftOut.test(`${table}.${column}`));
  const tables = Map.groupBy(columns, ({ table }) => table);
  const queries = [...tables].map(
    ([table, of]) =>
      [table, `SELECT ${of.map(({ column }) => `"${column}"`).join()} FROM "${table}" ORDER BY 1`] as const,
  );
  let last: { version: unknown; text: string } | null = null;
  return async () => {
    // Changes when another connection commits; most of what tests ask in between changes nothing.
    const version = isPostgres(database) ? null : (await beside.rows('PRAGMA data_version'))[0]?.data_version;
    if (last && version !== null && last.version === version) return last.text;
    const texts: string[] = [];
    for (const [table, query] of queries) {
      const rows = await beside.rows(query);
      texts.push(`${table} ${JSON.stringify(rows.map((row) => Object.values(row)))}`);
    }
    last = { version, text: texts.join('\n') };
    return last.text;
  };
}
