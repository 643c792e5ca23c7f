import type { LocalCall } from '../local-command.ts';
import { openDatabase } from './open.ts';

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
