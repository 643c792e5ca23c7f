import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { type Client, openClient } from '../../../src/store/sqlite/client.ts';
import { migrateDatabase } from '../../../src/store/sqlite/migrate.ts';
import { openSqliteStore } from '../../../src/store/sqlite/store.ts';
import { migrations, temporaryFolder } from '../../helpers/app.ts';

/** A file of the last schema without operators, opened by this version. */
function migrated(t: Test, fill: (client: Client) => void) {
  const folder = temporaryFolder(t);
  const before = join(folder, 'migrations');
  cpSync(migrations, before, { recursive: true });
  const journal = JSON.parse(readFileSync(join(before, 'meta/_journal.json'), 'utf8'));
  journal.entries.splice(9);
  writeFileSync(join(before, 'meta/_journal.json'), JSON.stringify(journal));
  const file = join(folder, 'assize.db');
  const client = openClient(file);
  migrateDatabase(client, before);
  client.pragma('foreign_keys = OFF');
  fill(client);
  client.close();
  const store = openSqliteStore({ file, migrations, onSyncFailure: (error) => t.fail(error.message) });
  t.teardown(() => store.close());
  return { store, file };
}

t.test('keys of a file without operators become those of one owner, who made its decisions', async (t) => {
  const { store, file } = migrated(t, (client) => {
    const key = client.prepare(
      'INSERT INTO operator_keys (uid, key_hash, created_at, revoked_at) VALUES (?, ?, ?, ?)',
    );
    key.run('k1', 'h1', 20, null);
    key.run('k2', 'h2', 10, 30);
    const review = client.prepare(
      `INSERT INTO reviews (uid, integration_id, evaluation_id, tool, input_hash, policy_set_id, status, created_at,
         expires_at, expiry_seconds, decided_by) VALUES (?, 1, 1, 'x', 'h', 1, 'APPROVED', 0, 0, 0, ?)`,
    );
    for (const [uid, by] of [
      ['r1', 'k2'],
      ['r2', 'local'],
      ['r3', null],
    ] as const)
      review.run(uid, by);
  });
  const found = await store.operatorKeys.find('h1', 100);
  const operator = {
    name: 'owner',
    status: 'ACTIVE',
    roles: ['OWNER'],
    groups: [],
    email: null,
    createdAt: 10,
  };
  t.match(found, { operator, key: { id: 'k1', name: 'key', lastFour: null, ipRanges: [], expiresAt: null } });
  t.match(found?.operator.id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
  t.equal(await store.operatorKeys.find('h2', 100), null, 'a revoked one stays revoked');
  t.equal((await store.operatorKeys.list({ page: 1, size: 9 }, {})).total, 2);
  t.equal(await store.operatorKeys.revoke('k1', 100), 'last_owner');
  const beside = openClient(file);
  t.teardown(() => beside.close());
  t.strictSame(beside.prepare('SELECT decided_by FROM reviews ORDER BY id').pluck().all(), [
    found?.operator.id,
    'local',
    null,
  ]);
});

t.test('an empty file of the old schema still has its first start before it', async (t) => {
  const { store } = migrated(t, () => undefined);
  t.equal(await store.operators.exist(), false);
});
