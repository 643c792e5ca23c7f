import { loadConfig } from '../config/config.ts';
import { settingsOfDatabase } from '../config/environment.ts';
import { AppError } from '../errors.ts';
import { shipped } from '../files.ts';
import type { Maintenance } from '../store/maintenance.ts';
import { moveToPostgres, openMaintenance } from '../store/open.ts';
import type { LocalCall } from './api/call.ts';
import { Exit, exitCodes } from './exit.ts';

/** The database that a command means: the one typed, or the one that would be served here. */
async function openDatabase(
  given: string | undefined,
): Promise<{ database: string; maintenance: Maintenance }> {
  const { database, databaseDirect } = loadConfig(undefined, settingsOfDatabase(given));
  const maintenance = await openMaintenance(databaseDirect, { migrations: shipped('migrations') });
  return { database, maintenance };
}

export async function backup({ out, options, args }: LocalCall<{ force?: boolean }>): Promise<void> {
  const [file = ''] = args;
  const { database, maintenance } = await openDatabase(options.database);
  // It holds content and secrets, like the database.
  process.umask(0o077);
  const { bytes } = await maintenance.backup(file, options.force ?? false);
  out.record({ file, database, bytes }, [
    { title: 'BACKUP', of: (made) => made.file },
    { title: 'OF', of: (made) => made.database },
    { title: 'BYTES', of: (made) => made.bytes },
  ]);
}

export async function restore({ out, options, args }: LocalCall): Promise<void> {
  const [file = ''] = args;
  const { database, maintenance } = await openDatabase(options.database);
  process.umask(0o077);
  const { keptAs } = await maintenance.restore(file);
  out.record({ database, restoredFrom: file, keptAs }, [
    { title: 'DATABASE', of: (done) => done.database },
    { title: 'RESTORED FROM', of: (done) => done.restoredFrom },
    { title: 'FORMER ONE KEPT AS', of: (done) => done.keptAs },
  ]);
}

export async function migrateTo({ out, options, args }: LocalCall<object>): Promise<void> {
  const [address = ''] = args;
  if (!/^postgres(ql)?:\/\//.test(address))
    throw new AppError('invalid', 'the address must be of PostgreSQL: postgres://user@host/database');
  const { database } = loadConfig(undefined, settingsOfDatabase(options.database));
  const moved = await moveToPostgres(database, address, {
    migrations: shipped('migrations'),
    at: Date.now(),
    progress: { tell: (copied) => out.progress(`${copied} evaluations copied`) },
  });
  out.record({ database, ...moved }, [
    { title: 'MOVED', of: (made) => made.database },
    { title: 'EVALUATIONS', of: (made) => made.evaluations },
    { title: 'OTHER ROWS', of: (made) => made.rows },
  ]);
}

export async function reset({ out, options }: LocalCall<{ yes?: boolean }>): Promise<void> {
  const { database, maintenance } = await openDatabase(options.database);
  const now = Date.now();
  const done = options.yes ?? false;
  const correction = await (done ? maintenance.correctClock(now) : maintenance.planClockCorrection(now));
  if (!correction) throw new Exit(exitCodes.wrongUse, 'the clock is not behind the latest recorded time');
  out.record({ ...correction, database, done }, [
    { title: 'DATABASE', of: (made) => made.database },
    { title: 'LATEST RECORDED TIME', of: (made) => new Date(made.from).toISOString() },
    { title: 'SET TO', of: (made) => new Date(made.to).toISOString() },
    { title: 'SESSIONS ENDED', of: (made) => made.sessions },
    { title: 'REVIEWS ENDED', of: (made) => made.reviews },
  ]);
  if (!done) throw new Exit(exitCodes.wrongUse, 'nothing was changed: --yes does it');
}

export async function confirm({ out, options }: LocalCall): Promise<void> {
  const { database, maintenance } = await openDatabase(options.database);
  const wasHeld = await maintenance.confirmRetention();
  out.record({ database, wasHeld }, [
    { title: 'DATABASE', of: (done) => done.database },
    { title: 'RETENTION', of: (done) => (done.wasHeld ? 'goes on' : 'was not held') },
  ]);
}
