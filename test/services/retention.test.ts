import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { isPostgres } from '../../src/store/address.ts';
import {
  adminKey,
  type Lifetime,
  sqliteOnly,
  startApp,
  type TestApp,
  temporaryFolder,
} from '../helpers/app.ts';
import { openBeside } from '../helpers/database-beside.ts';
import { rule } from '../helpers/policies.ts';

const dayMs = 86_400_000;

/** As time passes: never by a day at once, which would be a jump. */
async function pass(app: TestApp, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= dayMs) {
    app.clock.advance(Math.min(left, dayMs));
    await app.call(adminKey, 'GET', '/v1/evaluation-sessions');
  }
}

/** Asks how many evaluations still have their input. */
async function countInputs(t: Lifetime, app: TestApp): Promise<() => Promise<number>> {
  const beside = await openBeside(t, app.database);
  return () => beside.count('evaluations WHERE input IS NOT NULL');
}

t.test('content older than the setting is deleted, and the record of what was decided stays', async (t) => {
  const app = await startApp(t, { ASSIZE_RETENTION_DAYS: '30', ASSIZE_RATE_LIMIT_INTEGRATION: '0' });
  const { id, key } = await app.integration('AGENT', { contentRetention: 'full' });
  await app.policy(id, rule('"EMAIL_ADDRESS" in dataTags', 'WARN'));
  const session = (await app.call(key, 'POST', '/v1/evaluation-sessions', {})).body.data.id;
  const evaluate = (secret: string) =>
    app.call(key, 'POST', '/v1/evaluate', {
      sessionId: session,
      input: { tool: 'a', note: `${secret} for ada@example.com`, more: 'x'.repeat(9_000) },
      targetMetadata: { secret },
    });
  const list = async () =>
    (await app.call(key, 'GET', `/v1/evaluation-sessions/${session}/evaluations?size=200`)).body.data;
  for (let place = 0; place < 20; place++) await evaluate('old-secret');
  app.clock.advance(1);
  await evaluate('new-secret');
  const before = await list();

  await pass(app, 30 * dayMs - 1);
  await app.services.retention.sweep();
  t.strictSame(await list(), before, 'not a moment too early');

  app.clock.advance(1);
  await app.services.retention.sweep();
  const after = await list();
  t.strictSame(after[0], before[0], 'what is newer stays');
  t.match(after[0].targetMetadata, { secret: 'new-secret' });
  for (const [place, evaluation] of after.slice(1).entries()) {
    const { omitted: _, ...listed } = before[place + 1];
    const violations = listed.violations.map((one: object) => ({ ...one, message: 'the-rule' }));
    t.strictSame(evaluation, { ...listed, input: null, targetMetadata: null, violations });
    t.equal(evaluation.violations.length, 1);
    t.ok(evaluation.detections.length > 0);
  }

  await app.store.close();
  if (isPostgres(app.database)) return;
  const file = readFileSync(app.database, 'latin1');
  t.equal(file.includes('old-secret'), false, 'not even in the unused parts of the file');
  t.equal(file.includes('new-secret'), true);
});

t.test('goes in small steps, and remembers where it stopped', async (t) => {
  const app = await startApp(t, { ASSIZE_RATE_LIMIT_INTEGRATION: '0' });
  const { key } = await app.integration('AGENT', { contentRetention: 'full' });
  const session = (await app.call(key, 'POST', '/v1/evaluation-sessions', {})).body.data.id;
  const evaluate = (text: string) =>
    app.call(key, 'POST', '/v1/evaluate', { sessionId: session, input: { tool: 'a', text } });
  for (let place = 0; place < 11; place++) await Promise.all(Array.from({ length: 50 }, () => evaluate('x')));
  for (let place = 0; place < 5; place++) await evaluate('x'.repeat(900_000));
  const left = await countInputs(t, app);
  const steps: number[] = [];
  while (await app.store.evaluations.forgetContent(app.clock.now() + 1)) steps.push(await left());
  // A step of SQLite has 250 rows or 1 MB at most; one of PostgreSQL, which holds up nobody, 500 or 4 MB.
  const expected = isPostgres(app.database) ? [55, 1, 0] : [305, 55, 4, 3, 2, 1, 0];
  t.strictSame(steps, expected, 'so many rows, so many bytes, and never none');
  await evaluate('x');
  t.equal(await app.store.evaluations.forgetContent(app.clock.now() + 1), true);
  t.equal(await left(), 0);
});

t.test(
  'the sweep after a start cuts the log off only when it deleted something',
  sqliteOnly('the log'),
  async (t) => {
    const database = join(temporaryFolder(t), 'assize.db');
    const app = await startApp(t, { ASSIZE_RETENTION_DAYS: '1' }, { database });
    const { key } = await app.integration('AGENT', { contentRetention: 'full' });
    await app.call(key, 'POST', '/v1/evaluate', { input: { tool: 'a' } });
    const logged = () => statSync(`${database}-wal`).size;
    await app.services.retention.sweep();
    t.ok(logged() > 0);
    await app.services.retention.sweep();
    t.equal(logged(), 0, 'each one after it does: reviews and stored responses are deleted elsewhere');
    await app.http.close();
    await app.store.close();
    const again = await startApp(t, { ASSIZE_RETENTION_DAYS: '1' }, { database, clock: app.clock });
    await pass(again, 2 * dayMs);
    await again.services.retention.sweep();
    t.equal(logged(), 0);
  },
);

t.test('without the setting nothing is deleted', async (t) => {
  const app = await startApp(t);
  const { key } = await app.integration('AGENT', { contentRetention: 'full' });
  const { body } = await app.call(key, 'POST', '/v1/evaluate', { input: { tool: 'a' } });
  app.clock.advance(36_500 * dayMs);
  app.services.retention.start();
  await app.services.retention.sweep();
  const beside = await openBeside(t, app.database);
  t.same(await beside.rows('SELECT input FROM evaluations'), [{ input: '{"tool":"a"}' }]);
  t.ok(body.data.sessionId);
});

t.test('sweeps by itself once started, and stops in the middle when the service closes', async (t) => {
  const app = await startApp(t, { ASSIZE_RETENTION_DAYS: '1', ASSIZE_RATE_LIMIT_INTEGRATION: '0' });
  const { key } = await app.integration('AGENT', { contentRetention: 'full' });
  const session = (await app.call(key, 'POST', '/v1/evaluation-sessions', {})).body.data.id;
  const body = { sessionId: session, input: { tool: 'a' } };
  for (let place = 0; place < 10; place++) {
    await Promise.all(Array.from({ length: 60 }, () => app.call(key, 'POST', '/v1/evaluate', body)));
  }
  await pass(app, 2 * dayMs);
  app.services.retention.start();
  const left = await countInputs(t, app);
  while ((await left()) === 600) await new Promise((resolve) => setImmediate(resolve));
  await app.http.close();
  const stoppedAt = await left();
  t.ok(stoppedAt > 0 && stoppedAt < 600, 'a step is finished, and none begun');
  await app.services.retention.sweep();
  t.equal(await left(), stoppedAt);
});
