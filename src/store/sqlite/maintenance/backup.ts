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
import { AppError } from '../../../errors.ts';
import type { Client } from '../client.ts';
import { findDamage, openExisting } from '../file/existing.ts';
import { compareSchema } from '../file/migrate.ts';
import { openOurs, schemaTrouble, takeOutOfUse } from './state.ts';

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
export function restore(database: string, migrations: string, file: string): { keptAs: string | null } {
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
export async function backup(
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
