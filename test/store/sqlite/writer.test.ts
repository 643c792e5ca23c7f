import { fdatasync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { openClient } from '../../../src/store/sqlite/client.ts';
import { openWalSync } from '../../../src/store/sqlite/file/wal-sync.ts';
import { createWriter } from '../../../src/store/sqlite/writer.ts';
import { createDisk, noReserve, turns } from '../../durability/stored-app.ts';
import { temporaryFolder } from '../../helpers/app.ts';

t.beforeEach((t) => {
  const client = openClient(join(temporaryFolder(t), 'writer.db'));
  client.exec('CREATE TABLE things (name TEXT PRIMARY KEY) STRICT');
  const insert = client.prepare('INSERT INTO things (name) VALUES (?)');
  const names = () => client.prepare('SELECT name FROM things ORDER BY name').pluck().all();
  const wal = openWalSync(client, { check: () => null }, () => t.fail('the disk did not fail'));
  t.context = { client, wal, writer: createWriter(client, wal, noReserve), insert, names };
});
t.afterEach((t) => {
  t.context.wal.close();
  t.context.client.close();
});

t.test('changes of one turn share one transaction, in order, and see each other', async (t) => {
  const { client, writer, insert, names } = t.context;
  const seen: boolean[] = [];
  const results = await Promise.all(
    ['a', 'b', 'c'].map((name) =>
      writer.run(() => {
        insert.run(name);
        seen.push(client.inTransaction);
        return names().length;
      }),
    ),
  );
  t.strictSame(results, [1, 2, 3]);
  t.strictSame(seen, [true, true, true]);
  t.equal(client.inTransaction, false);
});

t.test('is answered only after the commit', async (t) => {
  const { client, writer, insert } = t.context;
  const other = openClient(client.name);
  t.teardown(() => other.close());
  await writer.run(() => insert.run('a'));
  t.strictSame(other.prepare('SELECT name FROM things').pluck().all(), ['a']);
});

t.test('a read waits for a sync of what another connection has committed, once', async (t) => {
  const { client } = t.context;
  const disk = createDisk();
  const wal = openWalSync(client, { check: () => null }, () => t.fail('the disk did not fail'), disk.sync);
  const writer = createWriter(client, wal, noReserve);
  t.teardown(() => wal.close());
  const other = openClient(client.name);
  t.teardown(() => other.close());
  await writer.durable();
  t.equal(disk.syncCount(), 0, 'nothing was committed');
  other.exec("INSERT INTO things (name) VALUES ('a')");
  disk.hold();
  let isDurable = false;
  const durable = writer.durable().then(() => {
    isDurable = true;
  });
  await turns(20);
  t.equal(isDurable, false);
  disk.release();
  await durable;
  await writer.durable();
  t.equal(disk.syncCount(), 1, 'what is on disk is not synced again');
});

t.test('one bad change fails alone: its neighbours are kept, and once', async (t) => {
  const { writer, insert, names } = t.context;
  const forgotten: number[] = [];
  writer.onRollback(() => forgotten.push(1));
  const results = await Promise.allSettled([
    writer.run(() => insert.run('a')),
    writer.run(() => {
      insert.run('half');
      throw new Error('bad');
    }),
    writer.run(() => insert.run('a')),
    writer.run(() => insert.run('b')),
  ]);
  t.strictSame(
    results.map((result) => result.status),
    ['fulfilled', 'rejected', 'rejected', 'fulfilled'],
  );
  t.strictSame(names(), ['a', 'b']);
  t.ok(forgotten.length > 0, 'what was learnt inside the rolled back transaction is void');
});

t.test(
  '#36: changes that take long are made in turns of their own, also after one of them failed',
  async (t) => {
    const { writer, insert, names } = t.context;
    const commits: number[] = [];
    writer.onCommit((changes: number) => commits.push(changes));
    const long = (name: string) =>
      writer.run(() => {
        const until = performance.now() + 8;
        while (performance.now() < until);
        insert.run(name);
      });
    await Promise.all(['a', 'b', 'c', 'd'].map(long));
    t.strictSame(commits, [1, 1, 1, 1]);
    const turns: number[] = [];
    let turn = 0;
    const count = (): void => {
      turn += 1;
      counting = setImmediate(count);
    };
    let counting = setImmediate(count);
    const short = (name: string) =>
      writer.run(() => {
        turns.push(turn);
        insert.run(name);
      });
    const results = await Promise.allSettled(['e', 'f', 'a', 'g'].map(short));
    clearImmediate(counting);
    t.strictSame(
      results.map(({ status }) => status),
      ['fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
    );
    t.strictSame(names(), ['a', 'b', 'c', 'd', 'e', 'f', 'g']);
    t.strictSame(commits.slice(4), [1, 1, 1], 'each was repeated alone');
    t.ok(new Set(turns.slice(3)).size > 1, 'and not all in one turn');
  },
);

t.test('a failing database is answered as unavailable, a failing program as itself', async (t) => {
  const { client, writer, insert } = t.context;
  await t.rejects(
    writer.run(() => {
      throw new TypeError('a bug');
    }),
    TypeError,
  );
  client.pragma('query_only = ON');
  await t.rejects(
    writer.run(() => insert.run('a')),
    { code: 'unavailable', retryAfterSeconds: 1 },
  );
});

t.test('drain commits what waits; more than a batch is committed in several', async (t) => {
  const { writer, insert, names } = t.context;
  const all = Array.from({ length: 600 }, (_, place) => writer.run(() => insert.run(`n${place}`)));
  t.equal(names().length, 0);
  await writer.drain();
  t.equal(names().length, 600);
  await Promise.all(all);
});

t.test('between the transactions of many changes, others have their turn', async (t) => {
  const { writer, insert, names } = t.context;
  const all = Array.from({ length: 600 }, (_, place) => writer.run(() => insert.run(`n${place}`)));
  const seen: number[] = [];
  while (names().length < 600) {
    await new Promise((resolve) => setImmediate(resolve));
    seen.push(names().length);
  }
  const steps = seen.map((count, place) => count - (seen[place - 1] ?? 0));
  t.ok(Math.max(...steps) <= 64, `at most 64 in a turn: ${steps}`);
  await Promise.all(all);
});

t.test(
  'changes that arrive while the disk syncs share the next transaction, unless they fill one',
  async (t) => {
    const { client, insert, names } = t.context;
    let end = (): void => {
      t.fail('nothing syncs');
    };
    const wal = openWalSync(
      client,
      { check: () => null },
      () => t.fail('the disk did not fail'),
      (_, done) => {
        end = () => done(null);
      },
    );
    t.teardown(() => wal.close());
    const writer = createWriter(client, wal, noReserve);
    const commits: number[] = [];
    writer.onCommit((changes) => commits.push(changes));
    const turns = async () => {
      for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
    };
    const add = (name: string) => writer.run(() => insert.run(name));
    const first = add('a');
    await turns();
    const later: Promise<unknown>[] = [];
    for (const name of ['b', 'c', 'd']) {
      later.push(add(name));
      await turns();
    }
    t.strictSame(names(), ['a']);
    end();
    await first;
    await turns();
    t.strictSame(commits, [1, 3]);
    const many = Array.from({ length: 70 }, (_, place) => add(`n${place}`));
    await turns();
    t.strictSame(commits, [1, 3, 64], 'a full transaction does not wait');
    end();
    await Promise.all(later);
    await turns();
    t.strictSame(commits, [1, 3, 64, 6]);
    end();
    await turns();
    end();
    await Promise.all(many);
  },
);

t.test('held, it begins no transaction until it is released, or by itself in time', async (t) => {
  const { writer, insert, names } = t.context;
  const release = writer.hold(10_000);
  const held = writer.run(() => insert.run('a'));
  await new Promise((resolve) => setTimeout(resolve, 5));
  t.strictSame(names(), []);
  release();
  t.strictSame(names(), ['a']);
  await held;
  const late = writer.hold(1);
  await writer.run(() => insert.run('b'));
  t.strictSame(names(), ['a', 'b']);
  const next = writer.hold(10_000);
  late();
  const last = writer.run(() => insert.run('c'));
  await new Promise((resolve) => setTimeout(resolve, 5));
  t.strictSame(names(), ['a', 'b'], 'a release that comes late releases no other hold');
  next();
  await last;
});

t.test('what is written at the end of a transaction belongs to it', async (t) => {
  const { client, writer, insert, names } = t.context;
  let left: string[] = [];
  writer.onEnd(() => {
    for (const name of left) insert.run(`${name}-${client.inTransaction}`);
    left = [];
  });
  writer.onRollback(() => {
    left = [];
  });
  const note = (name: string) =>
    writer.run(() => {
      left.push(name);
    });
  await Promise.all([note('a'), note('b')]);
  t.strictSame(names(), ['a-true', 'b-true']);
  const results = await Promise.allSettled([note('a'), note('c')]);
  t.strictSame(
    results.map((result) => result.status),
    ['rejected', 'fulfilled'],
    'and fails with it',
  );
  t.strictSame(names(), ['a-true', 'b-true', 'c-true']);
});

t.test('a sync that is in progress when the log is closed ends well', async (t) => {
  const { client } = t.context;
  const late = (descriptor: number, done: (error: Error | null) => void) =>
    void setImmediate(() => fdatasync(descriptor, done));
  const wal = openWalSync(client, { check: () => null }, () => t.fail('the disk did not fail'), late);
  const synced = new Promise((resolve) => wal.sync(resolve));
  wal.close();
  t.equal(await synced, null);
});
