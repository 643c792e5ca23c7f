import { existsSync, statSync } from 'node:fs';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import { findUnprotected } from '../../../features/policies/store-enforcement.ts';
import { minuteMs } from '../../../schemas/durations.ts';
import { runSteps } from '../../../sql/sqlite/sql.ts';
import {
  type CheckResult,
  type ExaminedBy,
  examinePolicies,
  examineSecrets,
  fail,
  type Maintenance,
  ok,
  warn,
} from '../../maintenance.ts';
import type { Client } from '../client.ts';
import { confirmRetention, correctClock, findClock, planCorrection } from '../clock.ts';
import { findDamage, openExisting } from '../file/existing.ts';
import { compareSchema } from '../file/migrate.ts';
import * as tables from '../tables.ts';
import { backup, restore } from './backup.ts';
import { assertCurrent, openOurs, schemaTrouble, takeOutOfUse } from './state.ts';

/** `migrations`: the folder of them. */
export function createSqliteMaintenance(database: string, migrations: string): Maintenance {
  async function onCurrent<T>(work: (client: Client) => T, prepare?: (database: string) => void): Promise<T> {
    assertCurrent(database, migrations);
    prepare?.(database);
    const client = openOurs(database, migrations);
    try {
      return work(client);
    } finally {
      client.close();
    }
  }

  return {
    assertCurrent: async () => assertCurrent(database, migrations),
    backup: (file, replaces) => backup(database, migrations, file, replaces),
    restore: async (file) => restore(database, migrations, file),
    examine: async (by) => examine(database, migrations, by),
    planClockCorrection: (to) => onCurrent((client) => planCorrection(client, to)),
    correctClock: (to) => onCurrent((client) => correctClock(client, to), takeOutOfUse),
    confirmRetention: () => onCurrent(confirmRetention),
  };
}

/** A clock is kept to within seconds by any time service. Milliseconds. */
const tolerance = minuteMs;
/** Some times what the store lets the log grow to. Bytes. */
const longLog = 256 * 1_048_576;

function examine(database: string, migrations: string, by: ExaminedBy): CheckResult[] {
  if (!existsSync(database)) {
    return [warn('database', `there is no ${database}`, 'the first start makes it: assize serve')];
  }
  let client: Client | undefined;
  try {
    client = openExisting(database);
    const age = compareSchema(client, migrations);
    const trouble = schemaTrouble(database, age);
    if (age === 'foreign' || age === 'newer') {
      return [
        fail('schema', trouble ?? '', 'name the right file by ASSIZE_DATABASE, or use the right version'),
      ];
    }
    return [
      trouble === null
        ? ok('schema', 'is that of this version')
        : warn('schema', trouble, 'back up first: there is no other way back'),
      integrity(client),
      ...(age === 'older'
        ? []
        : [
            clock(client, by.now),
            retention(client),
            examinePolicies(
              runSteps(findUnprotected(tables, drizzle(client, { casing: 'snake_case' }), by.modeOf)),
            ),
            secrets(client, by),
          ]),
      operatorKey(client),
      log(database),
    ];
  } catch (error) {
    return [
      fail('database', `${database}: ${(error as Error).message}`, 'restore a backup: assize restore FILE'),
    ];
  } finally {
    client?.close();
  }
}

function integrity(client: Client): CheckResult {
  const damage = findDamage(client, 'quick');
  if (damage.length === 0) return ok('integrity', 'no damage found');
  return fail('integrity', damage.join('; '), 'restore a backup: assize restore FILE');
}

/** The service's time goes on from the latest that was recorded, so a clock behind it makes all times wrong. */
function clock(client: Client, now: number): CheckResult {
  const { latestAt } = findClock(client);
  if (latestAt <= now + tolerance) return ok('clock', 'agrees with the latest recorded time');
  return fail(
    'clock',
    `is ${Math.round((latestAt - now) / 1_000)} s behind the latest recorded time, ${new Date(latestAt).toISOString()}`,
    'set it right, by a time service; if it was the recorded time that was wrong: assize clock reset',
  );
}

function retention(client: Client): CheckResult {
  const { retentionHeldAt } = findClock(client);
  if (retentionHeldAt === null) return ok('retention', 'is not held');
  return warn(
    'retention',
    `deletes nothing since the clock jumped ahead at ${new Date(retentionHeldAt).toISOString()}`,
    'look whether the clock is right, then: assize retention confirm',
  );
}

function operatorKey(client: Client): CheckResult {
  const living = client.prepare('SELECT count(*) FROM operator_keys WHERE revoked_at IS NULL').pluck().get();
  if (Number(living) > 0) return ok('operator key', 'there is one');
  return warn('operator key', 'there is none', 'assize serve makes the first; assize keys create another');
}

function secrets(client: Client, by: ExaminedBy): CheckResult {
  const count = (sql: string) => Number(client.prepare(sql).pluck().get());
  const sealed = count(
    `SELECT (SELECT count(*) FROM webhooks WHERE destination LIKE 'sealed:%') +
      (SELECT count(*) FROM mcp_servers WHERE headers LIKE 'sealed:%') +
      (SELECT count(*) FROM integrations WHERE webhook_secret LIKE 'sealed:%')`,
  );
  const webhooks = count('SELECT count(*) FROM webhooks');
  const servers = count('SELECT count(*) FROM mcp_servers WHERE headers IS NOT NULL');
  return examineSecrets({ sealed, webhooks, servers }, by);
}

function log(database: string): CheckResult {
  const bytes = statSync(`${database}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  const message = `the write-ahead log has ${Math.round(bytes / 1_048_576)} MB`;
  if (bytes <= longLog) return ok('log', message);
  return warn(
    'log',
    message,
    'end what reads for long (a backup, a shell): it keeps the log from being copied',
  );
}
