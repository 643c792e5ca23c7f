import { randomBytes } from 'node:crypto';
import { existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { AppError } from '../../../errors.ts';
import { findDamage, openExisting } from '../file/existing.ts';
import { compareSchema } from '../file/migrate.ts';
import { isSameFile, sync } from './files.ts';
import { openOurs } from './state.ts';

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
