import { mkdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import t from 'tap';
import { createCheckpoints } from '../../../src/store/sqlite/checkpoints.ts';
import { openClient } from '../../../src/store/sqlite/client.ts';
import { temporaryFolder } from '../../helpers/app.ts';

const unexpected = (error: Error): never => {
  throw error;
};

t.test('the log is copied into the database by another thread, and nothing is lost', async (t) => {
  const client = openClient(join(temporaryFolder(t), 'checkpoints.db'));
  const checkpoints = createCheckpoints(client, unexpected);
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
  const checkpoints = createCheckpoints(client, unexpected);
  checkpoints.committed(999);
  await checkpoints.close();
  client.close();
});

t.test('a thread that fails is told of, SQLite stands in for it, and another one takes over', async (t) => {
  const folder = temporaryFolder(t);
  const [here, away] = [join(folder, 'here'), join(folder, 'away')];
  mkdirSync(here);
  const client = openClient(join(here, 'moved.db'));
  const failures: Error[] = [];
  const checkpoints = createCheckpoints(client, (error) => void failures.push(error));
  client.exec('CREATE TABLE things (text TEXT) STRICT');
  const insert = client.prepare('INSERT INTO things VALUES (?)');
  const bound = () => client.pragma('wal_autocheckpoint', { simple: true });
  const patience = AbortSignal.timeout(20_000);
  const until = async (met: () => boolean): Promise<void> => {
    while (!met()) {
      patience.throwIfAborted();
      await setTimeout(10);
    }
  };

  // This connection has the file open; the thread no longer finds it.
  renameSync(here, away);
  checkpoints.committed(1_000);
  await until(() => failures.length === 1);
  t.match(String(failures[0]?.cause), /cannot open database/i);
  t.equal(bound(), 1_000);
  checkpoints.committed(2_000);
  await until(() => {
    // The thread is told to be gone a little after its failure; what was committed by then is not forgotten.
    checkpoints.committed(0);
    return failures.length === 2;
  });

  renameSync(away, here);
  const before = statSync(client.name).size;
  client.transaction(() => {
    for (let row = 0; row < 500; row++) insert.run('x'.repeat(1_000));
  })();
  checkpoints.committed(4_000);
  await until(() => {
    checkpoints.committed(0);
    return bound() === 16_000;
  });
  t.ok(statSync(client.name).size > before + 400_000, 'and has copied the log');
  t.equal(failures.length, 2);
  await checkpoints.close();
  client.close();
});
