import t from 'tap';
import { openSqliteStore } from '../../../src/store/sqlite/store.ts';
import { migrations, temporaryFolder } from '../../helpers/app.ts';
import { writeOlderFile } from './older-file.ts';

t.test('who is signed in with a key stays so', async (t) => {
  const file = writeOlderFile(temporaryFolder(t), 26, (client) => {
    client
      .prepare(
        'INSERT INTO sign_ins (token_hash, operator_key_hash, created_at, used_at, confirmed_at) VALUES (?, ?, 1, 2, 3)',
      )
      .run('token', 'key');
  });
  const store = openSqliteStore({ file, migrations, onSyncFailure: (error) => t.fail(error.message) });
  t.teardown(() => store.close());
  t.strictSame(await store.signIns.find('token', { createdAt: 0, usedAt: 0 }), {
    operatorKeyHash: 'key',
    operatorId: null,
    createdAt: 1,
    usedAt: 2,
    confirmedAt: 3,
  });
});
