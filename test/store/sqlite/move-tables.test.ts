import { join } from 'node:path';
import t from 'tap';
import { openClient } from '../../../src/store/sqlite/client.ts';
import { migrateDatabase } from '../../../src/store/sqlite/file/migrate.ts';
import { movedTables } from '../../../src/store/sqlite/maintenance/move-source.ts';
import { migrations, temporaryFolder } from '../../helpers/app.ts';

/** Evaluations are moved by themselves; the others can be made again, or are part of another table there. */
// biome-ignore format: short texts read better in rows
const others = new Set([
  'evaluations', 'action_results', 'evaluation_blocks', 'session_blocks', 'session_cells', 'session_marks',
  'session_stopped_tools', 'session_tools', '__drizzle_migrations',
]);

t.test('a move takes every table', async (t) => {
  const client = openClient(join(temporaryFolder(t), 'assize.db'));
  t.teardown(() => client.close());
  migrateDatabase(client, migrations);
  const tables = client
    .prepare<[], string>("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .pluck()
    .all();
  const moved = new Set(movedTables.map(({ table }) => table));
  t.strictSame(
    tables.filter((table) => !moved.has(table) && !others.has(table)),
    [],
  );
});
