import { statSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { openStore } from '../../src/store/open.ts';
import { adminKey, allMigrations, startApp, type TestApp } from '../helpers/app.ts';
import { run } from '../helpers/command.ts';
import { rule } from '../helpers/policies.ts';
import { auditDatabase } from './audit.ts';
import { empty, fill, smallDisk } from './small-disk.ts';
import { until } from './stored-app.ts';

const mega = 1_048_576;
const reserve = (database: string): number =>
  statSync(`${database}-reserve`, { throwIfNoEntry: false })?.size ?? 0;

/** The app with its reserve, on a disk of its own; null where none can be mounted. */
async function start(t: Test, folder: string | null) {
  if (folder === null) return null;
  const database = join(folder, 'assize.db');
  const told: boolean[] = [];
  const store = await openStore(database, {
    migrations: allMigrations,
    keepsReserve: true,
    onDiskFull: (isFull) => void told.push(isFull),
  });
  const app = await startApp(t, { ASSIZE_RATE_LIMIT_INTEGRATION: '0' }, { database, store });
  await until(() => reserve(database) === 8 * mega);
  return { app, folder, told };
}

async function fillUp(app: TestApp, key: string, folder: string): Promise<void> {
  for (const [left, length] of [
    [60_000, 5_000],
    [0, 1],
  ] as const) {
    fill(folder, left);
    const input = { tool: 'a', text: 'x'.repeat(length) };
    while ((await app.call(key, 'POST', '/v1/evaluate', { input })).status === 200);
  }
}

t.test('on a full disk keys are revoked, sessions end and reviews are decided', async (t) => {
  const started = await start(t, smallDisk(t, 48));
  if (!started) return;
  const { app, folder, told } = started;
  const { id, key } = await app.integration();
  const other = await app.integration();
  await app.policy(other.id, rule('tool == "pay"', 'APPROVAL_REQUIRED'));
  const held = await app.call(other.key, 'POST', '/v1/evaluate', { input: { tool: 'pay' } });
  const operator = (await app.call(adminKey, 'POST', '/v1/operator-keys')).body.data;
  const session = (await app.call(other.key, 'POST', '/v1/evaluation-sessions', {})).body.data.id;
  const evaluate = () => app.call(other.key, 'POST', '/v1/evaluate', { input: { tool: 'a' } });

  await fillUp(app, key, folder);
  // Another session's pages may have room left.
  for (let times = 0; times < 200 && (await evaluate()).status === 200; times++);
  t.equal((await evaluate()).status, 503);
  t.strictSame(told, [], 'evaluations release nothing');
  const changes: [number, ...Parameters<TestApp['call']>][] = [
    [200, adminKey, 'POST', `/v1/integrations/${id}/regenerate-key`],
    [200, adminKey, 'POST', `/v1/operator-keys/${operator.id}/revoke`],
    [200, other.key, 'POST', `/v1/evaluation-sessions/${session}/end`, {}],
    [200, adminKey, 'POST', `/v1/reviews/${held.body.data.reviewRequestId}/reject`],
    [
      201,
      adminKey,
      'POST',
      '/v1/policies?activate=true',
      rule('tool == "b"', 'BLOCK'),
      { 'content-type': 'application/yaml' },
    ],
  ];
  for (const [status, ...call] of changes) {
    const response = await app.call(...call);
    t.equal(response.status, status, `${call[2]} ${response.text}`);
  }
  t.equal((await app.call(key, 'POST', '/v1/evaluate', { input: {} })).status, 401, 'the old key is dead');
  t.equal((await app.call(operator.apiKey ?? operator.key, 'GET', '/v1/policies')).status, 401);
  t.equal((await evaluate()).status, 503);
  t.equal((await app.call(null, 'GET', '/health/ready')).status, 503);
  t.strictSame(told, [true]);

  empty(folder);
  t.equal((await app.call(null, 'GET', '/health/ready')).status, 200);
  t.equal((await evaluate()).status, 200);
  t.equal(reserve(app.database), 8 * mega, 'and the reserve is back');
  t.strictSame(told, [true, false]);
  t.strictSame(auditDatabase(app.database), []);
});

t.test('ends of sessions cannot use up what operators need', async (t) => {
  const started = await start(t, smallDisk(t, 48));
  if (!started) return;
  const { app, folder } = started;
  const { id, key } = await app.integration();
  const sessions: string[] = [];
  const metadata = { text: 'x'.repeat(15_000) };
  for (let count = 0; count < 400; count++) {
    sessions.push((await app.call(key, 'POST', '/v1/evaluation-sessions', { metadata })).body.data.id);
  }
  await fillUp(app, key, folder);
  const headers = (session: string) => ({ 'idempotency-key': `${session}${'k'.repeat(200)}` });
  let ended = 0;
  let status = 200;
  for (const session of sessions) {
    const url = `/v1/evaluation-sessions/${session}/end`;
    ({ status } = await app.call(key, 'POST', url, {}, headers(session)));
    if (status !== 200) break;
    ended++;
  }
  t.ok(ended > 0);
  t.equal(status, 503, `after ${ended}`);
  for (let count = 0; count < 20; count++) {
    t.equal((await app.call(adminKey, 'POST', `/v1/integrations/${id}/regenerate-key`)).status, 200);
  }
});

t.test('a service that starts on a full disk can still revoke', async (t) => {
  const started = await start(t, smallDisk(t, 48));
  if (!started) return;
  const { app, folder } = started;
  const { id, key } = await app.integration();
  await fillUp(app, key, folder);
  await app.http.close();
  await app.store.close();
  fill(folder);
  const ran = await run(['keys', 'rotate', id, '--database', app.database, '--json']);
  t.equal(ran.code, 0, ran.err);
});
