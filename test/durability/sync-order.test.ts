import Database from 'better-sqlite3';
import t from 'tap';
import { adminKey } from '../helpers/app.ts';
import { rule } from '../helpers/policies.ts';
import { createDisk, startAppOn, turns, until } from './stored-app.ts';

// What is answered, and when: a sync that is held back stands for a disk that is slow, or about to lose its power.

t.test('no change is answered before its sync is done', async (t) => {
  const disk = createDisk();
  const app = await startAppOn(t, disk);
  const { id, key } = await app.integration();
  await app.policy(id, rule('tool == "pay"', 'APPROVAL_REQUIRED'));
  const open = async () =>
    (await app.call(key, 'POST', '/v1/evaluation-sessions', {})).body.data.id as string;
  const held = await app.call(key, 'POST', '/v1/evaluate', { input: { tool: 'pay' } });
  const session = await open();
  const changes: [name: string, send: () => ReturnType<typeof app.call>][] = [
    ['evaluate', () => app.call(key, 'POST', '/v1/evaluate', { sessionId: session, input: { tool: 'a' } })],
    [
      'evaluate that opens its session',
      () => app.call(key, 'POST', '/v1/evaluate', { input: { tool: 'a' } }),
    ],
    ['create', () => app.call(key, 'POST', '/v1/evaluation-sessions', {})],
    ['end', () => app.call(key, 'POST', `/v1/evaluation-sessions/${session}/end`, {})],
    ['decide', () => app.call(adminKey, 'POST', `/v1/reviews/${held.body.data.reviewRequestId}/approve`)],
    [
      'create an integration',
      () => app.call(adminKey, 'POST', '/v1/integrations', { name: 'b', kind: 'AGENT' }),
    ],
    ['ready', () => app.call(null, 'GET', '/health/ready')],
  ];
  for (const [name, send] of changes) {
    disk.hold();
    let answered = false;
    const response = send().finally(() => {
      answered = true;
    });
    await until(() => disk.heldCount() === 1);
    await turns(100);
    t.equal(answered, false, `${name} waits`);
    disk.release();
    t.ok((await response).status < 300, `${name} is answered`);
  }
});

t.test('a read that saw what is not yet on disk waits for it, and one before does not', async (t) => {
  const disk = createDisk();
  const app = await startAppOn(t, disk);
  const { key } = await app.integration();
  const { body } = await app.call(key, 'POST', '/v1/evaluation-sessions', {});
  const url = `/v1/evaluation-sessions/${body.data.id}`;
  disk.hold();
  t.equal((await app.call(key, 'GET', url)).status, 200, 'nothing is under way');

  const change = app.call(key, 'POST', '/v1/evaluate', { sessionId: body.data.id, input: { tool: 'a' } });
  await until(() => disk.heldCount() === 1);
  let answered = 0;
  const reads = [url, '/v1/evaluation-sessions', `${url}/evaluations`].map((path) =>
    app.call(key, 'GET', path).finally(() => {
      answered++;
    }),
  );
  await turns(100);
  t.equal(answered, 0);
  disk.release();
  const [session, sessions, evaluations] = await Promise.all(reads);
  t.equal((await change).status, 200);
  t.equal(session?.body.data.actionCount, 1);
  t.equal(sessions?.body.data[0].actionCount, 1);
  t.equal(evaluations?.body.pagination.total, 1);
});

t.test('changes that arrive during a sync wait for it, and share the next commit and sync', async (t) => {
  const disk = createDisk();
  const app = await startAppOn(t, disk);
  const { key } = await app.integration();
  const { body } = await app.call(key, 'POST', '/v1/evaluation-sessions', {});
  const evaluate = () =>
    app.call(key, 'POST', '/v1/evaluate', { sessionId: body.data.id, input: { tool: 'a' } });
  const count = async () => (await app.call(key, 'GET', `/v1/evaluation-sessions/${body.data.id}`)).body.data;
  const other = new Database(app.database, { readonly: true });
  t.teardown(() => other.close());
  const committed = other.prepare('SELECT count(*) FROM evaluations').pluck();
  disk.hold();
  const before = disk.syncCount();
  const changes = [evaluate()];
  await until(() => disk.heldCount() === 1);
  for (let change = 0; change < 30; change++) {
    changes.push(evaluate());
    await turns(3);
  }
  await turns(100);
  t.equal(committed.get(), 1, 'they could not be acknowledged sooner if they were committed');
  t.equal(disk.syncCount() - before, 1);
  disk.release();
  t.ok((await Promise.all(changes)).every(({ status }) => status === 200));
  // A transaction ends after 5 ms, so on a slow machine they are more than one.
  t.ok(disk.syncCount() - before < 10);
  t.equal((await count()).actionCount, 31);
});

t.test('changes that fill a transaction commit during a sync, and share the next one', async (t) => {
  const disk = createDisk();
  const app = await startAppOn(t, disk);
  const { key } = await app.integration();
  const { body } = await app.call(key, 'POST', '/v1/evaluation-sessions', {});
  const evaluate = () =>
    app.call(key, 'POST', '/v1/evaluate', { sessionId: body.data.id, input: { tool: 'a' } });
  const other = new Database(app.database, { readonly: true });
  t.teardown(() => other.close());
  const committed = other.prepare<[], number>('SELECT count(*) FROM evaluations').pluck();
  disk.hold();
  const before = disk.syncCount();
  const changes = [evaluate()];
  await until(() => disk.heldCount() === 1);
  for (let change = 0; change < 64; change++) changes.push(evaluate());
  await until(() => (committed.get() ?? 0) > 1);
  t.equal(disk.syncCount() - before, 1, 'they are committed, and wait');
  disk.release();
  t.ok((await Promise.all(changes)).every(({ status }) => status === 200));
  t.equal(committed.get(), 65);
});

t.test('an earlier answer that is not yet on disk is not answered again', async (t) => {
  const disk = createDisk();
  const app = await startAppOn(t, disk);
  const { key } = await app.integration();
  const evaluate = () =>
    app.call(key, 'POST', '/v1/evaluate', { input: { tool: 'a' } }, { 'idempotency-key': 'once' });
  disk.hold();
  let answered = 0;
  const both = [evaluate()];
  await until(() => disk.heldCount() === 1);
  both.push(evaluate());
  for (const one of both) void one.then(() => answered++);
  await turns(100);
  t.equal(answered, 0);
  disk.release();
  const [first, second] = await Promise.all(both);
  const { replayed, ...earlier } = second?.body.data ?? {};
  t.equal(replayed, true);
  t.strictSame(earlier, first?.body.data);
  t.equal(second?.headers['idempotent-replayed'], 'true');
});
