import { drizzle } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import { AppError } from '../../../errors.ts';
import { findUnprotected } from '../../../features/policies/store-enforcement.ts';
import { minuteMs } from '../../../schemas/durations.ts';
import { asSqlite, runSteps, sharedTables } from '../../../sql/postgres/sql.ts';
import {
  type CheckResult,
  type ExaminedBy,
  examinePolicies,
  examineSecrets,
  fail,
  type Maintenance,
  ok,
  type SchemaAge,
  warn,
} from '../../maintenance.ts';
import { assertUsable, createClient, unavailable } from '../client.ts';
import { compareSchema } from '../migrate.ts';

/** A clock is kept to within seconds by any time service. Milliseconds. */
const tolerance = minuteMs;
/** The oldest version that the service is tested with. */
const oldestVersion = 150_000;

/** Why a schema cannot be worked with, and what to do; null for the one of this version. */
function schemaTrouble(age: SchemaAge): string | null {
  switch (age) {
    case 'current':
      return null;
    case 'foreign':
      return 'the PostgreSQL database has no tables of assize: start the service once (assize serve), which makes them';
    case 'older':
      return 'the PostgreSQL database has the schema of an older version: start this one once (assize serve), which brings it up';
    case 'newer':
      return 'the PostgreSQL database was written by a newer version of assize: use that version';
  }
}

async function examine(address: string, migrations: string, by: ExaminedBy): Promise<CheckResult[]> {
  const client = createClient(address);
  try {
    await client.connect();
    const age = await compareSchema(client, migrations);
    const trouble = schemaTrouble(age);
    const schema =
      trouble === null
        ? ok('schema', 'is that of this version')
        : age === 'newer'
          ? fail('schema', trouble, 'name the right database by ASSIZE_DATABASE, or use the right version')
          : warn('schema', trouble, 'back up first: there is no other way back');
    const server = [
      await version(client),
      await usable(client),
      await durability(client),
      await clock(client, by.now),
    ];
    if (age !== 'current') return [schema, ...server];
    const unprotected = await runSteps(
      findUnprotected(sharedTables, asSqlite(drizzle(client, { casing: 'snake_case' })), by.modeOf),
    );
    return [
      schema,
      ...server,
      await retention(client),
      examinePolicies(unprotected),
      await secrets(client, by),
      await operatorKey(client),
    ];
  } catch (error) {
    return [
      fail(
        'database',
        `cannot be reached: ${(error as Error).message}`,
        'start PostgreSQL, or set ASSIZE_DATABASE to its address',
      ),
    ];
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function setting(client: pg.Client, name: string): Promise<string> {
  const { rows } = await client.query<{ value: string }>('SELECT current_setting($1) AS value', [name]);
  return rows[0]?.value ?? '';
}

async function version(client: pg.Client): Promise<CheckResult> {
  const name = await setting(client, 'server_version');
  const isTested = Number(await setting(client, 'server_version_num')) >= oldestVersion;
  if (isTested) return ok('server', `is PostgreSQL ${name}`);
  return warn('server', `is PostgreSQL ${name}`, 'use PostgreSQL 15 or later');
}

async function usable(client: pg.Client): Promise<CheckResult> {
  try {
    await assertUsable(client);
    return ok('settings', 'keep what is confirmed');
  } catch (error) {
    return fail('settings', (error as Error).message, 'change them: assize serve does not start');
  }
}

async function durability(client: pg.Client): Promise<CheckResult> {
  const commit = await setting(client, 'synchronous_commit');
  const standbys = await setting(client, 'synchronous_standby_names');
  if (standbys !== '' && commit !== 'local')
    return ok('durability', 'what is confirmed is on a standby as well');
  return warn(
    'durability',
    standbys === '' ? 'there is no synchronous standby' : 'synchronous_commit is local',
    'what is confirmed is lost with the disk of the server: set synchronous_standby_names, unless the disk is replicated',
  );
}

async function clock(client: pg.Client, now: number): Promise<CheckResult> {
  const { rows } = await client.query<{ now: number }>(
    'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now',
  );
  const ahead = (rows[0]?.now ?? 0) - now;
  if (Math.abs(ahead) <= tolerance) return ok('clock', 'agrees with that of PostgreSQL');
  return fail(
    'clock',
    `PostgreSQL is ${Math.abs(Math.round(ahead / 1_000))} s ${ahead > 0 ? 'ahead of' : 'behind'} this machine`,
    'set both right, by a time service',
  );
}

async function retention(client: pg.Client): Promise<CheckResult> {
  const { rows } = await client.query<{ at: number }>(
    'SELECT retention_held_at AS at FROM clock WHERE retention_held_at IS NOT NULL',
  );
  const [held] = rows;
  if (!held) return ok('retention', 'is not held');
  return warn(
    'retention',
    `deletes nothing since the clock jumped ahead at ${new Date(held.at).toISOString()}`,
    'look whether the clock is right, then: assize retention confirm',
  );
}

async function secrets(client: pg.Client, by: ExaminedBy): Promise<CheckResult> {
  const { rows } = await client.query<{ sealed: number; webhooks: number; servers: number }>(
    `SELECT (SELECT count(*) FROM webhooks WHERE destination LIKE 'sealed:%') +
        (SELECT count(*) FROM mcp_servers WHERE headers LIKE 'sealed:%') +
        (SELECT count(*) FROM integrations WHERE webhook_secret LIKE 'sealed:%') AS sealed,
      (SELECT count(*) FROM webhooks) AS webhooks,
      (SELECT count(*) FROM mcp_servers WHERE headers IS NOT NULL) AS servers`,
  );
  return examineSecrets(rows[0] ?? { sealed: 0, webhooks: 0, servers: 0 }, by);
}

async function operatorKey(client: pg.Client): Promise<CheckResult> {
  const { rows } = await client.query<{ living: number }>(
    'SELECT count(*) AS living FROM operator_keys WHERE revoked_at IS NULL',
  );
  if ((rows[0]?.living ?? 0) > 0) return ok('operator key', 'there is one');
  return warn('operator key', 'there is none', 'assize serve makes the first; assize keys create another');
}

/** Maintenance; tasks of PostgreSQL's own tools are left to them. `migrations`: the folder of them. */
export function createPostgresMaintenance(address: string, migrations: string): Maintenance {
  async function connected<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = createClient(address);
    try {
      await client.connect();
      return await work(client);
    } catch (error) {
      throw unavailable(error);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
  const leftTo = (tools: string): never => {
    throw new AppError('invalid', `the database is in PostgreSQL: use ${tools}`);
  };
  const leftToItsClock = (): never => {
    throw new AppError(
      'invalid',
      'the database is in PostgreSQL, whose clock gives the time: set the clock of that server right',
    );
  };

  return {
    assertCurrent: () =>
      connected(async (client) => {
        const trouble = schemaTrouble(await compareSchema(client, migrations));
        if (trouble !== null) throw new AppError('invalid', trouble);
        await assertUsable(client);
      }),
    backup: async () => leftTo('pg_dump, or the backups of your provider'),
    restore: async () => leftTo('pg_restore into a new database, and start with its address'),
    examine: (by) => examine(address, migrations, by),
    planClockCorrection: async () => leftToItsClock(),
    correctClock: async () => leftToItsClock(),
    confirmRetention: () =>
      connected(async (client) => {
        const { rowCount } = await client.query(
          'UPDATE clock SET retention_held_at = NULL WHERE retention_held_at IS NOT NULL',
        );
        return rowCount === 1;
      }),
  };
}
