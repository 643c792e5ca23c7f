import { existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { type Client, openClient } from '../../../src/store/sqlite/client.ts';
import { createCheckpoints } from '../../../src/store/sqlite/file/database-file.ts';
import { createFileGuard, type FileGuard } from '../../../src/store/sqlite/file/file-guard.ts';
import { openWalSync } from '../../../src/store/sqlite/file/wal-sync.ts';
import { createWriter } from '../../../src/store/sqlite/writer.ts';
import { noReserve } from '../../durability/stored-app.ts';
import { temporaryFolder } from '../../helpers/app.ts';

const unexpected = (error: Error): never => {
  throw error;
};

const noGuard = (): Pick<FileGuard, 'check' | 'files'> => ({ check: () => null, files: [] });

function open(
  t: Test,
  folder = temporaryFolder(t),
  onFailure: (error: Error) => void = unexpected,
  guardOf: (client: Client) => Pick<FileGuard, 'check' | 'files'> = noGuard,
) {
  const client = openClient(join(folder, 'checkpoints.db'));
  client.exec('CREATE TABLE things (text TEXT) STRICT');
  const wal = openWalSync(client, { check: () => null }, () => t.fail('the disk did not fail'));
  const writer = createWriter(client, wal, noReserve);
  const checkpoints = createCheckpoints(client, writer, guardOf(client), onFailure);
  const insert = client.prepare('INSERT INTO things VALUES (?)');
  const log = () =>
    client.prepare<[], { log: number; checkpointed: number }>('PRAGMA wal_checkpoint(NOOP)').get();
  const write = (rows: number) =>
    Promise.all(Array.from({ length: rows }, () => writer.run(() => insert.run('x'.repeat(8_000)))));
  t.teardown(async () => {
    await checkpoints.close();
    wal.close();
    client.close();
  });
  return { client, writer, checkpoints, log, write };
}

t.test('under steady load the log begins anew, copied by another thread, and nothing is lost', async (t) => {
  const { client, log, write } = open(t);
  // This connection never copies, so that only the thread can bring the log to its end.
  client.pragma('wal_autocheckpoint = 0');
  let rows = 100;
  let anew = 0;
  const until = performance.now() + 60_000;
  // The next are asked for before these are committed: the log never rests.
  let under = write(100);
  for (let before = 0; anew < 3 && performance.now() < until; ) {
    const next = write(100);
    await under;
    under = next;
    rows += 100;
    const now = log()?.log ?? 0;
    if (now < before) anew++;
    before = now;
  }
  await under;
  t.equal(anew, 3);
  t.equal(client.prepare('SELECT count(*) FROM things').pluck().get(), rows);
});

t.test('a pause holds for a copy that the thread was told of and has not begun', async (t) => {
  const { checkpoints, writer, log, write } = open(t);
  writer.onCommit(() => {
    // It was just told of the first copy, and is being started.
    if ((log()?.log ?? 0) >= 4_000) checkpoints.pause();
  });
  await write(2_500);
  await setTimeout(500);
  t.match(log(), { checkpointed: 0 });
  t.ok((log()?.log ?? 0) >= 4_000);
});

t.test('a log that another connection still reads is copied later, and nothing waits for it', async (t) => {
  const { client, log, write } = open(t);
  const reader = openClient(client.name);
  t.teardown(() => reader.close());
  await write(1);
  reader.exec('BEGIN; SELECT * FROM things');
  for (let written = 0; written < 3_000; written += 100) await write(100);
  t.ok((log()?.log ?? 0) > 6_000, 'the log cannot begin anew');
  t.equal(reader.prepare('SELECT count(*) FROM things').pluck().get(), 1);
  reader.exec('COMMIT');
  const until = performance.now() + 60_000;
  while ((log()?.log ?? 0) > 5_000 && performance.now() < until) await write(100);
  t.ok((log()?.log ?? 0) <= 5_000, 'it begins anew once nobody reads it');
});

t.test('a small load starts no thread', async (t) => {
  const { client, write } = open(t);
  const before = statSync(client.name).size;
  await write(1_000);
  await setTimeout(50);
  t.equal(statSync(client.name).size, before);
});

t.test('a thread that fails is told of, SQLite stands in for it, and another one takes over', async (t) => {
  const folder = temporaryFolder(t);
  const [here, away] = [join(folder, 'here'), join(folder, 'away')];
  mkdirSync(here);
  const failures: Error[] = [];
  const { client, write } = open(t, here, (error) => void failures.push(error));
  const bound = () => client.pragma('wal_autocheckpoint', { simple: true });
  const until = performance.now() + 60_000;
  const writeUntil = async (met: () => boolean): Promise<void> => {
    while (!met() && performance.now() < until) await write(100);
  };

  // This connection has the file open; the thread no longer finds it.
  renameSync(here, away);
  await writeUntil(() => failures.length === 1);
  t.match(String(failures[0]?.cause), /cannot open database/i);
  t.equal(bound(), 1_000);
  await writeUntil(() => failures.length === 2);

  renameSync(away, here);
  await writeUntil(() => bound() === 16_000);
  t.equal(bound(), 16_000, 'the third one works');
  t.equal(failures.length, 2);
});

t.test(
  'a log that is deleted while the thread starts is not made anew, and what is in it is saved',
  async (t) => {
    const failures: Error[] = [];
    const losses: unknown[] = [];
    let guard: FileGuard | undefined;
    const { client, checkpoints, write } = open(
      t,
      temporaryFolder(t),
      (error) => void failures.push(error),
      (client) => {
        guard = createFileGuard(client, ({ cause }) => void losses.push(cause));
        return guard;
      },
    );
    t.teardown(() => guard?.close());
    await write(1);
    const truncated = checkpoints.truncate();
    rmSync(`${client.name}-wal`);
    await truncated;
    t.notOk(existsSync(`${client.name}-wal`));
    t.match(failures, [{ cause: { message: /moved, replaced or deleted/ } }]);
    guard?.check();
    t.match(losses, [{ message: /was moved or deleted while in use.*saved/ }]);
  },
);
