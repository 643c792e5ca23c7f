import type { LocalCall } from '../local-command.ts';
import { openDatabase } from './open.ts';

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
