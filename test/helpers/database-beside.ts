import Database from 'better-sqlite3';
import pg from 'pg';
import { isPostgres } from '../../src/store/address.ts';
import type { Lifetime } from './app.ts';

/** A connection to the database of a running app besides the app's own, for what only another process does. */
export interface Beside extends Connection {
  /** How many rows a table has, or a table and its condition. */
  count(from: string): Promise<number>;
}

interface Connection {
  /** The rows of a query that both databases understand; `?` stands for a value. */
  rows(query: string, ...values: (string | number | null)[]): Promise<Record<string, unknown>[]>;
  /** Runs a statement that both databases understand. */
  exec(statement: string): Promise<void>;
  /** Keeps everybody else from the database until `free`. */
  block(): Promise<void>;
  free(): Promise<void>;
}

export async function openBeside(t: Lifetime, database: string): Promise<Beside> {
  const { beside, close } = isPostgres(database) ? await ofPostgres(database) : ofSqlite(database);
  t.teardown(close);
  const count: Beside['count'] = async (from) =>
    // PostgreSQL counts in integers of 64 bits, which come as text.
    Number((await beside.rows(`SELECT count(*) AS count FROM ${from}`))[0]?.count);
  return { ...beside, count };
}

function ofSqlite(file: string): { beside: Connection; close(): void } {
  const client = new Database(file, { timeout: 0 });
  const exec = async (statement: string) => void client.exec(statement);
  // Tests ask the same again and again, and to prepare a query takes longer than to run it.
  const prepared = new Map<string, Database.Statement<unknown[], Record<string, unknown>>>();
  function prepare(query: string) {
    const statement = prepared.get(query) ?? client.prepare<unknown[], Record<string, unknown>>(query);
    prepared.set(query, statement);
    return statement;
  }
  return {
    beside: {
      rows: async (query, ...values) => prepare(query).all(...values),
      exec,
      block: () => exec('BEGIN EXCLUSIVE'),
      free: () => exec('ROLLBACK'),
    },
    close: () => client.close(),
  };
}

async function ofPostgres(address: string): Promise<{ beside: Connection; close(): Promise<void> }> {
  const client = new pg.Client(address);
  // Its database is dropped when the test ends.
  client.on('error', () => undefined);
  await client.connect();
  const exec = async (statement: string) => void (await client.query(statement));
  const rows: Connection['rows'] = async (query, ...values) => {
    let count = 0;
    return (
      await client.query(
        query.replaceAll('?', () => `$${++count}`),
        values,
      )
    ).rows;
  };
  return {
    beside: {
      rows,
      exec,
      async block() {
        await admit(address, false);
        await rows(
          'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = ?',
          'assize',
        );
      },
      free: () => admit(address, true),
    },
    close: () => client.end(),
  };
}

/** Whether the database accepts connections: a setting that only a connection to another database can change. */
async function admit(address: string, isOpen: boolean): Promise<void> {
  const url = new URL(address);
  const name = url.pathname.slice(1);
  url.pathname = '/postgres';
  const client = new pg.Client(url.href);
  await client.connect();
  await client.query(`ALTER DATABASE "${name}" ALLOW_CONNECTIONS ${isOpen}`);
  await client.end();
}

/** Makes every use of a table fail, as damage would. */
export async function breakTable(t: Lifetime, database: string, table: string): Promise<void> {
  const beside = await openBeside(t, database);
  if (!isPostgres(database)) {
    // A partial index names its table in its condition, which the legacy rename leaves as it is, and then refuses.
    const indexes = await beside.rows(
      "SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = ? AND sql LIKE '% WHERE %'",
      table,
    );
    for (const { name } of indexes) await beside.exec(`DROP INDEX "${name}"`);
    await beside.exec('PRAGMA legacy_alter_table = ON');
  }
  await beside.exec(`ALTER TABLE "${table}" RENAME TO "broken_${table}"`);
}
