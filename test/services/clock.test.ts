import t, { type Test } from 'tap';
import { openClock } from '../../src/services/clock.ts';
import { openMaintenance } from '../../src/store/open.ts';
import type { ClockReading, ClockStore } from '../../src/store/store.ts';
import {
  adminKey,
  allMigrations,
  createClock,
  sqliteOnly,
  startApp,
  type TestApp,
  type TestClock,
} from '../helpers/app.ts';
import { openBeside } from '../helpers/database-beside.ts';
import { rule } from '../helpers/policies.ts';

const dayMs = 86_400_000;
const start = Date.parse('2030-01-01T00:00:00.000Z');

/** A clock whose system and elapsed time the test moves. */
async function open(t: Test, latestAt = 0) {
  const time = { system: start, elapsed: 0 };
  const told: unknown[] = [];
  let reading: () => ClockReading = () => ({ latestAt: 0, jumpedFrom: null });
  const store: ClockStore = {
    now: () => time.system,
    find: async () => ({ latestAt, retentionHeldAt: null }),
    follow(read) {
      reading = read;
    },
    keep: async () => ({ latestAt: reading().latestAt, retentionHeldAt: reading().jumpedFrom }),
  };
  const clock = await openClock({
    store: { clock: store },
    system: () => time.system,
    elapsed: () => time.elapsed,
    onJump: (from, to) => void told.push(['jump', from - start, to - start]),
    onBehind: (latest, system) => void told.push(['behind', latest - start, system - start]),
    onError: (error) => t.fail(String(error)),
  });
  t.teardown(() => clock.stop());
  return { clock, time, told, reading: () => reading() };
}

t.test('follows the system clock while that goes forward', async (t) => {
  const { clock, time, told, reading } = await open(t);
  t.equal(clock.now(), start);
  time.system += 5;
  t.equal(clock.now(), start + 5);
  time.system += dayMs;
  t.equal(clock.now(), start + 5 + dayMs, 'a day is no jump');
  t.strictSame(reading(), { latestAt: start + 5 + dayMs, jumpedFrom: null });
  t.strictSame(told, []);
});

t.test('set back, time goes on from the latest as fast as it passes', async (t) => {
  const { clock, time, told } = await open(t, start + 3_600_000);
  t.strictSame(told, [['behind', 3_600_000, 0]], 'also when it was set back while the service was stopped');
  t.equal(clock.now(), start + 3_600_000);
  time.elapsed += 60_000;
  time.system += 60_000;
  t.equal(clock.now(), start + 3_660_000);
  time.system -= 10 * dayMs;
  t.equal(clock.now(), start + 3_660_000);
  time.elapsed += 1_000.7;
  t.equal(clock.now(), start + 3_661_000);
  time.system = start + 2 * 3_600_000;
  t.equal(clock.now(), start + 2 * 3_600_000, 'and follows the system again once that is ahead');
});

t.test('a jump ahead is believed, told once, and holds retention', async (t) => {
  const { clock, time, told } = await open(t);
  t.equal(await clock.isHeld(), false);
  time.system += 400 * dayMs;
  t.equal(clock.now(), start + 400 * dayMs);
  time.system -= 5;
  t.equal(clock.now(), start + 400 * dayMs);
  t.equal(await clock.isHeld(), true);
  t.strictSame(told, [['jump', 0, 400 * dayMs]]);
});

t.test('a long time that really passed is no jump', async (t) => {
  const { clock, time, told } = await open(t);
  time.system += 3 * dayMs;
  time.elapsed += 3 * dayMs;
  t.equal(clock.now(), start + 3 * dayMs);
  t.equal(await clock.isHeld(), false);
  t.strictSame(told, []);
});

/** The same database served again, by a clock that stands elsewhere. */
async function restart(t: Test, app: TestApp, by: number, env = {}): Promise<TestApp> {
  await app.http.close();
  await app.store.close();
  const clock: TestClock = createClock(app.clock.now() + by);
  return startApp(t, env, { database: app.database, clock });
}

t.test('a clock set back revives no session and no approval, over a restart too', async (t) => {
  const app = await startApp(t);
  const { id, key } = await app.integration();
  await app.policy(id, rule('tool == "pay"', 'APPROVAL_REQUIRED'));
  const session = (await app.call(key, 'POST', '/v1/evaluation-sessions', {})).body.data.id;
  const input = { tool: 'pay' };
  const pay = (on: TestApp, more: object) =>
    on.call(key, 'POST', '/v1/evaluate', { sessionId: session, input, ...more });
  const { reviewRequestId } = (await pay(app, {})).body.data;
  t.equal((await app.call(adminKey, 'POST', `/v1/reviews/${reviewRequestId}/approve`)).status, 200);
  app.clock.advance(16 * 60_000);
  const review = async (on: TestApp) =>
    (await on.call(key, 'GET', `/v1/reviews/${reviewRequestId}`)).body.data.status;
  t.equal(await review(app), 'EXPIRED');
  app.clock.advance(-15 * 60_000);
  t.equal(await review(app), 'EXPIRED');
  t.equal((await pay(app, { reviewRequestId })).body.data.enforcementAction, 'APPROVAL_REQUIRED');

  app.clock.advance(24 * 3_600_000 + 15 * 60_000);
  const state = async (on: TestApp) =>
    (await on.call(key, 'GET', `/v1/evaluation-sessions/${session}`)).body.data.status;
  t.equal(await state(app), 'EXPIRED');
  app.clock.advance(-20 * 3_600_000);
  t.equal(await state(app), 'EXPIRED');
  t.equal((await pay(app, {})).status, 409);

  const again = await restart(t, app, -10 * dayMs);
  t.equal(await state(again), 'EXPIRED');
  t.equal(await review(again), 'EXPIRED');
  t.equal((await pay(again, {})).status, 409);
  t.match(again.log.join(''), /the clock is behind the latest recorded time/);
  const next = (await again.call(key, 'POST', '/v1/evaluation-sessions', {})).body.data;
  t.equal(next.status, 'ACTIVE', 'new ones live');
  t.ok(Date.parse(next.startedAt) >= app.clock.now());
});

t.test('the clock 400 days ahead deletes nothing until an operator confirms it', async (t) => {
  const env = { ASSIZE_RETENTION_DAYS: '30' };
  const app = await startApp(t, env);
  const { key } = await app.integration('AGENT', { contentRetention: 'full' });
  await app.call(key, 'POST', '/v1/evaluate', { input: { tool: 'a' } });
  const beside = await openBeside(t, app.database);
  const content = async () =>
    Number((await beside.rows('SELECT count(input) AS kept FROM evaluations'))[0]?.kept);
  app.clock.advance(400 * dayMs);
  await app.services.retention.sweep();
  t.equal(await content(), 1, 'while it runs');
  t.match(app.log.join(''), /the clock jumped ahead by more than a day/);

  const again = await restart(t, app, 0, env);
  await again.services.retention.sweep();
  t.equal(await content(), 1, 'nor when it is started again, with the time it has kept');
  t.match(again.log.join(''), /content retention waits since the clock jumped ahead/);
  t.notMatch(again.log.join(''), /jumped ahead by/);

  const operator = await openMaintenance(again.database, { migrations: allMigrations });
  t.equal(await operator.confirmRetention(), true);
  t.equal(await operator.confirmRetention(), false);
  await again.services.retention.sweep();
  t.equal(await content(), 0);

  await again.call(key, 'POST', '/v1/evaluate', { input: { tool: 'a' } });
  const later = await restart(t, again, 40 * dayMs, env);
  later.services.retention.start();
  await later.services.retention.sweep();
  t.equal(await content(), 1, 'each jump is confirmed for itself');
});

t.test(
  'a crash keeps the time of the last change to within a second, and a jump with it',
  sqliteOnly('PostgreSQL has the time in its evaluations'),
  async (t) => {
    const app = await startApp(t);
    const { key } = await app.integration();
    const evaluate = () => app.call(key, 'POST', '/v1/evaluate', { input: { tool: 'a' } });
    const kept = () => app.store.clock.find();
    const before = await kept();
    app.clock.advance(999);
    await evaluate();
    t.strictSame(await kept(), before, 'not with every change');
    app.clock.advance(1);
    await evaluate();
    t.strictSame(await kept(), { latestAt: before.latestAt + 1_000, retentionHeldAt: null });
    const jumpedAt = app.clock.now();
    app.clock.advance(2 * dayMs);
    await evaluate();
    const { latestAt, retentionHeldAt } = await kept();
    t.equal(latestAt, jumpedAt + 2 * dayMs);
    // Of the clock before the jump, the time that the machine took until it is added.
    const lateMs = (retentionHeldAt ?? Number.NaN) - jumpedAt;
    t.ok(lateMs >= 0 && lateMs < dayMs, `${lateMs} ms after it`);
  },
);
