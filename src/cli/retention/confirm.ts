import { confirmRetention } from '../../store/sqlite/clock.ts';
import { databaseOf } from '../database/files.ts';
import { assertCurrent, openOurs } from '../database/state.ts';
import type { LocalCall } from '../local-command.ts';

export async function confirm({ out, options }: LocalCall): Promise<void> {
  const database = databaseOf(options.database);
  assertCurrent(database);
  const client = openOurs(database);
  try {
    const wasHeld = confirmRetention(client);
    out.record({ database, wasHeld }, [
      { title: 'DATABASE', of: (done) => done.database },
      { title: 'RETENTION', of: (done) => (done.wasHeld ? 'goes on' : 'was not held') },
    ]);
  } finally {
    client.close();
  }
}
