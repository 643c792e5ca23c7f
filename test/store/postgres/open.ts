import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import tap from 'tap';
import { startPostgres } from '../../../scripts/develop/postgres.mjs';
import type { Address } from '../../../src/store/postgres/client.ts';
import { migrateDatabase } from '../../../src/store/postgres/migrate.ts';
import { allMigrations, type Lifetime } from '../../helpers/app.ts';
import { until } from '../../helpers/until.ts';

export const migrations = join(allMigrations, 'postgres');

let server: Promise<string> | undefined;
let template: Promise<string> | undefined;

/** The server of all tests (`npm run test:slow -- postgres`), or one of this process. */
function serverAddress(): Promise<string> {
  const given = process.env.TEST_POSTGRES;
  server ??= given === undefined ? startOne() : Promise.resolve(given);
  return server;
}
async function startOne(): Promise<string> {
  const started = await startPostgres();
  // A process goes on with the next file, which starts another one.
  tap.teardown(() => {
    [server, template] = [undefined, undefined];
    return started.stop();
  });
  return started.address;
}

export const addressOf = (address: string, database: string): string =>
  Object.assign(new URL(address), { pathname: `/${database}` }).href;

/** Without a pooler. */
export const direct = (url: string): Address => ({ url, direct: url, prepares: true });

async function onServer<T>(address: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(address);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** A database with these migrations, of which others are made: once for all tests on the server. */
async function ensureTemplate(address: string): Promise<string> {
  const texts = readdirSync(migrations)
    .filter((name) => name.endsWith('.sql'))
    .map((name) => readFileSync(join(migrations, name), 'utf8'));
  const name = `template_${hash('sha256', texts.join('')).slice(0, 16)}`;
  await onServer(address, async (client) => {
    await client.query('SELECT pg_advisory_lock(1)');
    const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [`${name}_done`]);
    if (found.rowCount) return;
    await client.query(`DROP DATABASE IF EXISTS ${name}`);
    await client.query(`CREATE DATABASE ${name} TEMPLATE template0`);
    await migrateDatabase(addressOf(address, name), migrations);
    await client.query(`ALTER DATABASE ${name} RENAME TO ${name}_done`);
  });
  return `${name}_done`;
}

let count = 0;

/** The address of a new database, dropped after the test. */
export async function createDatabase(t: Lifetime): Promise<string> {
  const address = await serverAddress();
  template ??= ensureTemplate(address);
  const from = await template;
  const name = `test_${process.pid}_${++count}`;
  await onServer(address, (client) => client.query(`CREATE DATABASE ${name} TEMPLATE ${from}`));
  t.teardown(() => onServer(address, (client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`)));
  return addressOf(address, name);
}

/** Waits until another connection waits for a lock that this one holds: other tests on the server have waiters of their own. */
export async function untilAwaited(holder: pg.Client): Promise<void> {
  const waiters =
    'SELECT 1 FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))';
  await until(
    async () => (await holder.query(waiters)).rowCount,
    (count) => count !== 0,
  );
}
