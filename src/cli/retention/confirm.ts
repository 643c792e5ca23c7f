import { openDatabase } from '../database/open.ts';
import type { LocalCall } from '../local-command.ts';

export async function confirm({ out, options }: LocalCall): Promise<void> {
  const { database, maintenance } = await openDatabase(options.database);
  const wasHeld = await maintenance.confirmRetention();
  out.record({ database, wasHeld }, [
    { title: 'DATABASE', of: (done) => done.database },
    { title: 'RETENTION', of: (done) => (done.wasHeld ? 'goes on' : 'was not held') },
  ]);
}
