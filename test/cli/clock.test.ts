import { join } from 'node:path';
import Database from 'better-sqlite3';
import t, { type Test } from 'tap';
import {
  adminKey,
  createClock,
  sqliteOnly,
  startApp,
  type TestApp,
  temporaryFolder,
} from '../helpers/app.ts';
import { run } from '../helpers/command.ts';
import { rule } from '../helpers/policies.ts';

const dayMs = 86_400_000;

/** A database that recorded things by a clock 400 days ahead, closed. */
async function recordAhead(t: Test) {
  const right = createClock(Date.now() - 60_000);
  const first = await startApp(t, { ASSIZE_RETENTION_DAYS: '30' }, { clock: right });
  const { id, key } = await first.integration('AGENT', { contentRetention: 'full' });
  await first.policy(id, rule('tool == "pay"', 'APPROVAL_REQUIRED'));
  const open = (app: TestApp) => app.call(key, 'POST', '/v1/evaluation-sessions', {});
  const pay = (app: TestApp, sessionId: string, more: object = {}) =>
    app.call(key, 'POST', '/v1/evaluate', { sessionId, input: { tool: 'pay' }, ...more });
  const old = (await open(first)).body.data.id;
  const held = (await pay(first, old)).body.data.reviewRequestId;
  right.advance(400 * dayMs);
  const ahead = (await open(first)).body.data.id;
  const heldAhead = (await pay(first, ahead)).body.data.reviewRequestId;
  await first.call(adminKey, 'POST', `/v1/reviews/${heldAhead}/approve`);
  await first.http.close();
  await first.store.close();
  return { database: first.database, key, old, held, ahead, heldAhead, open, pay };
}

t.test(
  'clock reset sets the time back, and what was open ends',
  sqliteOnly('PostgreSQL has the time of its server'),
  async (t) => {
    const { database, key, old, held, ahead, heldAhead, open, pay } = await recordAhead(t);
    const behind = await run(['doctor', '--database', database, '--json']);
    t.match(behind.out, /behind the latest recorded time/);
    t.match(behind.out, /assize retention confirm/);

    const asked = await run(['clock', 'reset', '--database', database, '--json']);
    t.equal(asked.code, 2);
    t.match(asked.err, /nothing was changed: --yes does it/);
    t.match(JSON.parse(asked.out), { sessions: 2, reviews: 2, done: false });

    const done = await run(['clock', 'reset', '--database', database, '--yes', '--json']);
    t.equal(done.code, 0, done.err);
    t.match(JSON.parse(done.out), { sessions: 2, reviews: 2, done: true });
    t.notMatch((await run(['doctor', '--database', database, '--json'])).out, /behind|held since/);
    const again = await run(['clock', 'reset', '--database', database, '--yes']);
    t.equal(again.code, 2);
    t.match(again.err, /not behind/);

    const clock = createClock(Date.now());
    const app = await startApp(t, { ASSIZE_RETENTION_DAYS: '30' }, { database, clock });
    for (const session of [old, ahead]) {
      t.equal((await pay(app, session)).status, 409, 'no session lives again, or for 400 days more');
    }
    for (const [review, status] of [
      [held, 'CANCELLED'],
      [heldAhead, 'EXPIRED'],
    ]) {
      t.equal((await app.call(adminKey, 'GET', `/v1/reviews/${review}`)).body.data.status, status);
    }
    const list = async (status: string) =>
      (await app.call(key, 'GET', `/v1/evaluation-sessions?status=${status}`)).body.pagination.total;
    t.equal(await list('ACTIVE'), 0);
    t.equal(await list('EXPIRED'), 2);
    const next = (await open(app)).body.data;
    t.ok(Date.parse(next.startedAt) < Date.now() + 60_000, 'time is right again');
    t.equal((await pay(app, next.id)).status, 200);

    for (let days = 0; days < 31; days++) {
      clock.advance(dayMs);
      await list('ACTIVE');
    }
    await app.services.retention.sweep();
    const file = new Database(database, { readonly: true });
    t.teardown(() => file.close());
    t.equal(
      file.prepare('SELECT count(input) FROM evaluations').pluck().get(),
      0,
      'content gets old in time',
    );
  },
);

t.test(
  'clock reset refuses a database that is served',
  sqliteOnly('PostgreSQL has the time of its server'),
  async (t) => {
    const app = await startApp(t, {}, { clock: createClock(Date.now() + 2 * dayMs) });
    const ran = await run(['clock', 'reset', '--database', app.database, '--yes']);
    t.equal(ran.code, 1);
    t.match(ran.err, /is in use: stop the server first/);
  },
);

t.test('retention confirm lets a running server go on, and says when nothing was held', async (t) => {
  const app = await startApp(t, { ASSIZE_RETENTION_DAYS: '30' });
  const { key } = await app.integration('AGENT', { contentRetention: 'full' });
  await app.call(key, 'POST', '/v1/evaluate', { input: { tool: 'a' } });
  app.clock.advance(40 * dayMs);
  await app.services.retention.sweep();
  const confirm = () => run(['retention', 'confirm', '--database', app.database, '--json']);
  t.match(JSON.parse((await confirm()).out), { wasHeld: true });
  t.match(JSON.parse((await confirm()).out), { wasHeld: false });
  await app.services.retention.sweep();
  const { data } = (await app.call(adminKey, 'GET', '/v1/evaluations')).body;
  t.equal(data[0].input, null);
});

t.test('both work on a database of this version only', async (t) => {
  const folder = temporaryFolder(t);
  const none = join(folder, 'none.db');
  const foreign = join(folder, 'foreign.db');
  const client = new Database(foreign);
  client.exec('CREATE TABLE things (text TEXT)');
  client.close();
  for (const words of [
    ['clock', 'reset', '--yes'],
    ['retention', 'confirm'],
  ]) {
    for (const file of [none, foreign]) t.equal((await run([...words, '--database', file])).code, 2);
  }
});
