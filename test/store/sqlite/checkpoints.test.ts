import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import t from 'tap';
import { createCheckpoints } from '../../../src/store/sqlite/checkpoints.ts';
import { openClient } from '../../../src/store/sqlite/client.ts';
import { temporaryFolder } from '../../helpers/app.ts';

t.test('the log is copied into the database by another thread, and nothing is lost', async (t) => {
  const client = openClient(join(temporaryFolder(t), 'checkpoints.db'));
  const checkpoints = createCheckpoints(client);
  client.exec('CREATE TABLE things (text TEXT) STRICT');
  const insert = client.prepare('INSERT INTO things VALUES (?)');
  client.transaction(() => {
    for (let row = 0; row < 1_000; row++) insert.run('x'.repeat(1_000));
  })();
  const before = statSync(client.name).size;
  checkpoints.committed(999);
  checkpoints.committed(1);
  const patience = AbortSignal.timeout(20_000);
  while (statSync(client.name).size < 1_000_000 && !patience.aborted) await setTimeout(10);
  t.ok(statSync(client.name).size > before + 900_000, 'without a checkpoint on this connection');
  t.equal(client.pragma('wal_autocheckpoint', { simple: true }), 16_000);
  await checkpoints.close();
  t.equal(client.prepare('SELECT count(*) FROM things').pluck().get(), 1_000);
  client.close();
});

t.test('a small load starts no thread', async (t) => {
  const client = openClient(join(temporaryFolder(t), 'quiet.db'));
  const checkpoints = createCheckpoints(client);
  checkpoints.committed(999);
  await checkpoints.close();
  client.close();
});
