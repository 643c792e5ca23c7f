import { join } from 'node:path';
import t from 'tap';
import { openClient } from '../../../src/store/sqlite/client.ts';
import { migrateDatabase } from '../../../src/store/sqlite/file/migrate.ts';
import { migrations, temporaryFolder } from '../../helpers/app.ts';

t.test(
  'tables that evaluations find by their key only are stored once, in the order of that key',
  async (t) => {
    const client = openClient(join(temporaryFolder(t), 'assize.db'));
    t.teardown(() => client.close());
    migrateDatabase(client, migrations);
    const stored = client
      .prepare<[], string>(
        "SELECT name FROM pragma_table_list WHERE schema = 'main' AND wr = 1 ORDER BY name",
      )
      .pluck()
      .all();
    // biome-ignore format: short texts read better in rows
    t.strictSame(stored, [
      'counter_cells', 'counter_scopes', 'counting_sessions', 'evaluation_blocks', 'session_cells',
      'session_marks', 'session_stopped_tools', 'session_tools', 'violations',
    ]);
  },
);
