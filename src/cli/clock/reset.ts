import { openDatabase } from '../database/open.ts';
import { Exit, exitCodes } from '../exit.ts';
import type { LocalCall } from '../local-command.ts';

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
