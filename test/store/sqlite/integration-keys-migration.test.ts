import t from 'tap';
import { openSqliteStore } from '../../../src/store/sqlite/store.ts';
import { migrations, temporaryFolder } from '../../helpers/app.ts';
import { writeOlderFile } from './older-file.ts';

t.test('keys of a file without scopes go on working for everything, each with an id', async (t) => {
  const folder = temporaryFolder(t);
  const file = writeOlderFile(folder, 21, (client) => {
    client
      .prepare(
        `INSERT INTO integrations (uid, name, kind, settings, webhook_secret, created_at, updated_at)
         VALUES ('i', 'n', 'AGENT', '{}', 's', 1, 1)`,
      )
      .run();
    const key = client.prepare(
      'INSERT INTO integration_keys (integration_id, key_hash, key_prefix, created_at, revoked_at) VALUES (1, ?, ?, 1, ?)',
    );
    key.run('h1', 'p1', 2);
    key.run('h2', 'p2', null);
  });
  const store = openSqliteStore({ file, migrations, onSyncFailure: (error) => t.fail(error.message) });
  t.teardown(() => store.close());
  t.match(await store.integrationKeys.find('h2', 5), {
    integration: { id: 'i', keyPrefix: 'p2' },
    key: { name: 'key', lastFour: null, scopes: ['evaluate', 'sessions:open', 'sessions:end', 'read'] },
  });
  t.equal(await store.integrationKeys.find('h1', 5), null);
  const { items = [] } = (await store.integrationKeys.list('i', { page: 1, size: 9 })) ?? {};
  const [last, first] = items.map(({ id }) => id);
  t.match(last, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
  t.not(last, first);
});
