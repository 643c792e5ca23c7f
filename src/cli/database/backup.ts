import { randomBytes } from 'node:crypto';
import { existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { findDamage, openExisting } from '../../store/sqlite/existing.ts';
import { Exit, exitCodes } from '../exit.ts';
import type { LocalCall } from '../local-command.ts';
import { databaseOf, isSameFile, sync } from './files.ts';
import { openOurs, schemaOf } from './state.ts';

/** More pages than a database has: the copy is made in one step, and so of one moment, however much is written meanwhile. */
const allPages = 0x7fff_ffff;

/** The copy gets its name when it is whole, checked and on disk: a file of that name is always a good backup. */
export async function backup({ out, options, args }: LocalCall<{ force?: boolean }>): Promise<void> {
  const [file = ''] = args;
  const database = databaseOf(options.database);
  const client = openOurs(database);
  try {
    refuseTarget(file, database, options.force ?? false);
    // It holds content and secrets, like the database.
    process.umask(0o077);
    const part = `${file}.${randomBytes(6).toString('hex')}.part`;
    try {
      await client.backup(part, { progress: () => allPages });
      assertSound(part);
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
  out.record({ file, database, bytes: statSync(file).size }, [
    { title: 'BACKUP', of: (made) => made.file },
    { title: 'OF', of: (made) => made.database },
    { title: 'BYTES', of: (made) => made.bytes },
  ]);
}

function refuseTarget(file: string, database: string, force: boolean): void {
  if (['', '-wal', '-shm'].some((part) => isSameFile(file, database + part))) {
    throw new Exit(exitCodes.wrongUse, `${file} is the database itself`);
  }
  if (!existsSync(dirname(file))) throw new Exit(exitCodes.wrongUse, `there is no folder ${dirname(file)}`);
  if (!existsSync(file)) return;
  if (!statSync(file).isFile()) throw new Exit(exitCodes.wrongUse, `${file} is no file`);
  if (!force) throw new Exit(exitCodes.wrongUse, `${file} is there already: --force replaces it`);
}

/** Reads all of the copy. Makes it one file: without the log of a live database, it can be opened where none can be written. */
function assertSound(part: string): void {
  const copy = openExisting(part);
  try {
    copy.pragma('journal_mode = DELETE');
    const damage = findDamage(copy);
    if (damage.length === 0 && schemaOf(copy) !== 'foreign') return;
    throw new Exit(exitCodes.failed, `the database is damaged: ${damage.join('; ')}`);
  } finally {
    copy.close();
  }
}
