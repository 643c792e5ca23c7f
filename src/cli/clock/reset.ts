import { correctClock, planCorrection } from '../../store/sqlite/clock-correction.ts';
import { databaseOf } from '../database/files.ts';
import { assertCurrent, openOurs, takeOutOfUse } from '../database/state.ts';
import { Exit, exitCodes } from '../exit.ts';
import type { LocalCall } from '../local-command.ts';

export async function reset({ out, options }: LocalCall<{ yes?: boolean }>): Promise<void> {
  const database = databaseOf(options.database);
  assertCurrent(database);
  const now = Date.now();
  // Others may go on with it while this only looks.
  if (options.yes) takeOutOfUse(database);
  const client = openOurs(database);
  try {
    const correction = options.yes ? correctClock(client, now) : planCorrection(client, now);
    if (!correction) throw new Exit(exitCodes.wrongUse, 'the clock is not behind the latest recorded time');
    out.record({ ...correction, database, done: options.yes ?? false }, [
      { title: 'DATABASE', of: (made) => made.database },
      { title: 'LATEST RECORDED TIME', of: (made) => new Date(made.from).toISOString() },
      { title: 'SET TO', of: (made) => new Date(made.to).toISOString() },
      { title: 'SESSIONS ENDED', of: (made) => made.sessions },
      { title: 'REVIEWS ENDED', of: (made) => made.reviews },
    ]);
    if (!options.yes) throw new Exit(exitCodes.wrongUse, 'nothing was changed: --yes does it');
  } finally {
    client.close();
  }
}
