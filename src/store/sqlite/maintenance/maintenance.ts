import { randomBytes } from 'node:crypto';
import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import { AppError } from '../../../errors.ts';
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

/** On disk is what is synced; a new name is when its folder is. */
function sync(file: string): void {
  for (const path of [file, dirname(file)]) {
    const descriptor = openSync(path, 'r');
    fsyncSync(descriptor);
    closeSync(descriptor);
  }
}

/** False when one of them is missing. */
function isSameFile(a: string, b: string): boolean {
  const [first, second] = [a, b].map((file) => statSync(file, { throwIfNoEntry: false }));
  return first !== undefined && first.ino === second?.ino && first.dev === second.dev;
}

const besides = ['-wal', '-shm', '-journal'];

/** Nothing is replaced before the backup was copied beside the database and found whole. */
function restore(database: string, migrations: string, file: string): { keptAs: string | null } {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) {
    throw new AppError('invalid', `there is no file ${file}`);
  }
  if (isSameFile(file, database)) throw new AppError('invalid', `${file} is the database itself`);
  mkdirSync(dirname(database), { recursive: true });
  const part = `${database}.${randomBytes(6).toString('hex')}.part`;
  try {
    copyFileSync(file, part);
    // A plain copy of a live database has its latest changes in a file beside it.
    if (existsSync(`${file}-wal`)) copyFileSync(`${file}-wal`, `${part}-wal`);
    assertRestorable(file, part, migrations);
    sync(part);
    const keptAs = existsSync(database) ? keepAside(database) : null;
    renameSync(part, database);
    sync(database);
    return { keptAs };
  } catch (error) {
    for (const left of ['', ...besides]) rmSync(part + left, { force: true });
    throw error;
  }
}

function assertRestorable(file: string, part: string, migrations: string): void {
  let copy: Client | undefined;
  try {
    copy = openExisting(part);
    const age = compareSchema(copy, migrations);
    const damage = findDamage(copy);
    if (damage.length > 0) throw new AppError('conflict', `${file} is damaged: ${damage.join('; ')}`);
    // An older one is brought up by the next start.
    const trouble = age === 'older' ? null : schemaTrouble(file, age);
    if (trouble !== null) throw new AppError('conflict', trouble);
    copy.pragma('journal_mode = DELETE');
  } catch (cause) {
    if (!(cause instanceof Database.SqliteError)) throw cause;
    throw new AppError('conflict', `${file} is damaged, or not a database: ${cause.message}`, { cause });
  } finally {
    copy?.close();
  }
}

/** The database under another name, with nothing left beside it that would be taken for the new one's. */
function keepAside(database: string): string {
  takeOutOfUse(database);
  const at = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const kept = `${database}.before-restore-${at}`;
  try {
    // A second name, so that there is a database at every moment.
    linkSync(database, kept);
  } catch {
    // Not every file system has those.
    renameSync(database, kept);
  }
  for (const beside of besides) {
    if (existsSync(database + beside)) renameSync(database + beside, kept + beside);
  }
  return kept;
}

/** More pages than a database has: the copy is made in one step, and so of one moment, however much is written meanwhile. */
const allPages = 0x7fff_ffff;

/** The copy gets its name when it is whole, checked and on disk: a file of that name is always a good backup. */
async function backup(
  database: string,
  migrations: string,
  file: string,
  replaces: boolean,
): Promise<{ bytes: number }> {
  const client = openOurs(database, migrations);
  try {
    refuseTarget(file, database, replaces);
    const part = `${file}.${randomBytes(6).toString('hex')}.part`;
    try {
      await client.backup(part, { progress: () => allPages });
      assertSound(part, migrations);
      sync(part);
      renameSync(part, file);
      sync(file);
    } catch (error) {
      for (const left of [part, `${part}-journal`, `${part}-wal`, `${part}-shm`])
        rmSync(left, { force: true });
      throw error;
    }
  } finally {
    client.close();
  }
  return { bytes: statSync(file).size };
}

function refuseTarget(file: string, database: string, replaces: boolean): void {
  if (['', '-wal', '-shm'].some((part) => isSameFile(file, database + part))) {
    throw new AppError('invalid', `${file} is the database itself`);
  }
  if (!existsSync(dirname(file))) throw new AppError('invalid', `there is no folder ${dirname(file)}`);
  if (!existsSync(file)) return;
  if (!statSync(file).isFile()) throw new AppError('invalid', `${file} is not a file`);
  if (!replaces) throw new AppError('invalid', `${file} already exists: use --force to replace it`);
}

/** Reads all of the copy. Makes it one file: without the log of a live database, it can be opened where none can be written. */
function assertSound(part: string, migrations: string): void {
  const copy = openExisting(part);
  try {
    copy.pragma('journal_mode = DELETE');
    const damage = findDamage(copy);
    if (damage.length === 0 && compareSchema(copy, migrations) !== 'foreign') return;
    throw new AppError('conflict', `the database is damaged: ${damage.join('; ')}`);
  } finally {
    copy.close();
  }
}
