import { loadConfig } from '../../config/config.ts';
import { settingsOfDatabase } from '../../config/pooler.ts';
import { AppError } from '../../errors.ts';
import { shipped } from '../../files.ts';
import { moveToPostgres } from '../../store/open.ts';
import type { LocalCall } from '../local-command.ts';

export async function migrateTo({ out, options, args }: LocalCall<object>): Promise<void> {
  const [address = ''] = args;
  if (!/^postgres(ql)?:\/\//.test(address))
    throw new AppError('invalid', 'the address must be of PostgreSQL: postgres://user@host/database');
  const { database } = loadConfig(undefined, settingsOfDatabase(options.database));
  const moved = await moveToPostgres(database, address, {
    migrations: shipped('migrations'),
    at: Date.now(),
    progress: { tell: (copied) => out.note(`${copied} evaluations copied`) },
  });
  out.record({ database, ...moved }, [
    { title: 'MOVED', of: (made) => made.database },
    { title: 'EVALUATIONS', of: (made) => made.evaluations },
    { title: 'OTHER ROWS', of: (made) => made.rows },
  ]);
}
