import { randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, linkSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import type { Client } from '../../store/sqlite/client.ts';
import { findDamage, openExisting } from '../../store/sqlite/existing.ts';
import { Exit, exitCodes } from '../exit.ts';
import type { LocalCall } from '../local-command.ts';
import { databaseOf, isSameFile, sync } from './files.ts';
import { schemaOf, schemaTrouble, takeOutOfUse } from './state.ts';

const besides = ['-wal', '-shm', '-journal'];

/** Nothing is replaced before the backup was copied beside the database and found whole. */
export async function restore({ out, options, args }: LocalCall): Promise<void> {
  const [file = ''] = args;
  const database = databaseOf(options.database);
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) {
    throw new Exit(exitCodes.wrongUse, `there is no file ${file}`);
  }
  if (isSameFile(file, database)) throw new Exit(exitCodes.wrongUse, `${file} is the database itself`);
  process.umask(0o077);
  mkdirSync(dirname(database), { recursive: true });
  const part = `${database}.${randomBytes(6).toString('hex')}.part`;
  let keptAs: string | null;
  try {
    copyFileSync(file, part);
    // A plain copy of a live database has its latest changes in a file beside it.
    if (existsSync(`${file}-wal`)) copyFileSync(`${file}-wal`, `${part}-wal`);
    assertRestorable(file, part);
    sync(part);
    keptAs = existsSync(database) ? keepAside(database) : null;
    renameSync(part, database);
    sync(database);
  } catch (error) {
    for (const left of ['', ...besides]) rmSync(part + left, { force: true });
    throw error;
  }
  out.record({ database, restoredFrom: file, keptAs }, [
    { title: 'DATABASE', of: (done) => done.database },
    { title: 'RESTORED FROM', of: (done) => done.restoredFrom },
    { title: 'FORMER ONE KEPT AS', of: (done) => done.keptAs },
  ]);
}

function assertRestorable(file: string, part: string): void {
  let copy: Client | undefined;
  try {
    copy = openExisting(part);
    const age = schemaOf(copy);
    const damage = findDamage(copy);
    if (damage.length > 0) throw new Exit(exitCodes.failed, `${file} is damaged: ${damage.join('; ')}`);
    // An older one is brought up by the next start.
    const trouble = age === 'older' ? null : schemaTrouble(file, age);
    if (trouble !== null) throw new Exit(exitCodes.failed, trouble);
    copy.pragma('journal_mode = DELETE');
  } catch (error) {
    if (!(error instanceof Database.SqliteError)) throw error;
    throw new Exit(exitCodes.failed, `${file} is damaged, or no database: ${error.message}`);
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
