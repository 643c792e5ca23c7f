import { join } from 'node:path';
import t, { type Test } from 'tap';
import { Pool } from 'undici';
import { startApp, type TestApp, temporaryFolder } from '../helpers/app.ts';
import { blockAfter } from '../helpers/policies.ts';
import { auditDatabase } from './audit.ts';
import { createRandom } from './random.ts';

const connections = 64;
const tool = 'limited';
const unlimited = { ASSIZE_RATE_LIMIT_INTEGRATION: '0' };

/** The app on a socket, with evaluates over 64 connections. */
async function serveApp(t: Test, database: string) {
  const app = await startApp(t, unlimited, { database });
  const url = await app.http.listen({ port: 0 });
  const pool = new Pool(url, { connections, pipelining: 1 });
  const close = async (): Promise<void> => {
    await pool.close();
    await app.http.close();
    await app.store.close();
  };
  return { app, pool, close };
}

async function evaluate(pool: Pool, key: string, sessionId: string): Promise<string> {
  const { statusCode, body } = await pool.request({
    method: 'POST',
    path: '/v1/evaluate',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ sessionId, input: { tool } }),
  });
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`answered ${statusCode}: ${text}`);
  return JSON.parse(text).data.enforcementAction;
}

const open = async (app: TestApp, key: string): Promise<string> =>
  (await app.call(key, 'POST', '/v1/evaluation-sessions', {})).body.data.id;

t.test(
  'a limit lets exactly as many through at 64 connections, across a restart in the middle',
  async (t) => {
    const random = createRandom(11);
    for (const { sessions, limit, sent } of [
      { sessions: 1, limit: 300, sent: 700 },
      { sessions: 150, limit: 3, sent: 900 },
      // More than are kept in memory: many are read again from their rows.
      { sessions: 10_500, limit: 1, sent: 16_500 },
    ]) {
      const database = join(temporaryFolder(t), 'assize.db');
      let served = await serveApp(t, database);
      const { id, key } = await served.app.integration();
      await served.app.policy(id, blockAfter(limit, tool));
      const ids: string[] = [];
      while (ids.length < sessions) {
        const some = Array.from({ length: Math.min(50, sessions - ids.length) }, () => open(served.app, key));
        ids.push(...(await Promise.all(some)));
      }
      const turns = Array.from({ length: sent }, () => random.pick(ids));
      const allowed = new Map<string, number>();
      const send = async (some: readonly string[]): Promise<void> => {
        const responses = await Promise.all(some.map((session) => evaluate(served.pool, key, session)));
        responses.forEach((action, place) => {
          const session = some[place] as string;
          if (action === 'ALLOW') allowed.set(session, (allowed.get(session) ?? 0) + 1);
        });
      };
      await send(turns.slice(0, sent / 3));
      await served.close();
      served = await serveApp(t, database);
      await send(turns.slice(sent / 3));
      const asked = Map.groupBy(turns, (session) => session);
      const wrong = ids.filter(
        (session) => (allowed.get(session) ?? 0) !== Math.min(limit, asked.get(session)?.length ?? 0),
      );
      t.strictSame(wrong, [], `${sessions} sessions`);
      t.ok(turns.length > [...allowed.values()].reduce((sum, count) => sum + count), 'some were blocked');
      await served.close();
      t.strictSame(auditDatabase(database), []);
    }
  },
);

t.test('two stores on one file count as one', async (t) => {
  const database = join(temporaryFolder(t), 'assize.db');
  const one = await startApp(t, unlimited, { database });
  const { id, key } = await one.integration();
  await one.policy(id, blockAfter(100, tool));
  const two = await startApp(t, unlimited, { database });
  const session = await open(one, key);
  const random = createRandom(12);
  const actions: string[] = [];
  for (let round = 0; round < 30; round++) {
    const turns = Array.from({ length: 1 + random.below(12) }, () => random.pick([one, two]));
    const body = { sessionId: session, input: { tool } };
    const responses = await Promise.all(turns.map((app) => app.call(key, 'POST', '/v1/evaluate', body)));
    actions.push(...responses.map((response) => response.body.data.enforcementAction));
  }
  t.equal(actions.filter((action) => action === 'ALLOW').length, 100);
  t.ok(actions.length > 110);
  for (const app of [one, two]) {
    const { body } = await app.call(key, 'GET', `/v1/evaluation-sessions/${session}`);
    t.match(body.data, { actionCount: actions.length, blockCount: actions.length - 100 });
  }
  await two.call(key, 'POST', `/v1/evaluation-sessions/${session}/end`, {});
  const late = await one.call(key, 'POST', '/v1/evaluate', { sessionId: session, input: { tool } });
  t.equal(late.status, 409, 'an end by the other is seen at once');
  t.strictSame(auditDatabase(database), []);
});

t.test('pages deep into a long session are the rows, newest first', async (t) => {
  const app = await startApp(t, unlimited);
  const { key } = await app.integration();
  const session = await open(app, key);
  const ids: string[] = [];
  for (let place = 0; place < 1_000; place += 50) {
    const body = { sessionId: session, input: { tool } };
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => app.call(key, 'POST', '/v1/evaluate', body)),
    );
    ids.push(...responses.map((response) => response.body.data.evaluationRunId));
  }
  ids.reverse();
  for (const size of [1, 7, 50, 100, 200]) {
    const last = Math.ceil(1_000 / size);
    for (const page of new Set([1, 2, Math.ceil(last / 3), Math.ceil(last / 2), last - 1, last, last + 1])) {
      const url = `/v1/evaluation-sessions/${session}/evaluations?page=${page}&size=${size}`;
      const { data, pagination } = (await app.call(key, 'GET', url)).body;
      t.strictSame(
        data.map((evaluation: { evaluationRunId: string }) => evaluation.evaluationRunId),
        ids.slice((page - 1) * size, page * size),
        `page ${page} of ${size}`,
      );
      t.equal(pagination.total, 1_000);
    }
  }
});
