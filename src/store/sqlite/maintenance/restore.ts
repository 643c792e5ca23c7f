import { randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, linkSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { AppError } from '../../../errors.ts';
import type { Client } from '../client.ts';
import { findDamage, openExisting } from '../file/existing.ts';
import { compareSchema } from '../file/migrate.ts';
import { isSameFile, sync } from './files.ts';
import { schemaTrouble, takeOutOfUse } from './state.ts';

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
