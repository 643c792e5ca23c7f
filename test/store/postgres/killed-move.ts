import { join } from 'node:path';
import { type MoveSource, type MoveTarget, moveDatabase } from '../../../src/store/move.ts';
import { openMoveTarget } from '../../../src/store/postgres/maintenance/move-target.ts';
import { openMoveSource } from '../../../src/store/sqlite/maintenance/move-source.ts';
import { allMigrations } from '../../helpers/app.ts';

// Moves a database, and kills its process just before the step that is named.
const [file = '', address = '', step = ''] = process.argv.slice(2);

const stopping = <T extends MoveSource | MoveTarget>(of: T): T =>
  new Proxy(of, {
    get(target, name, receiver) {
      if (name === step) process.kill(process.pid, 'SIGKILL');
      return Reflect.get(target, name, receiver);
    },
  });

const source = openMoveSource(file, join(allMigrations, 'sqlite'));
const target = await openMoveTarget(address, join(allMigrations, 'postgres'));
await moveDatabase(stopping(source), stopping(target), {
  address,
  at: 1,
  progress: { tell: () => undefined },
});
