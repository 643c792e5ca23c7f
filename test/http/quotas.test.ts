import t from 'tap';
import { adminKey, startApp, type TestApp } from '../helpers/app.ts';
import { rule } from '../helpers/policies.ts';
import { callTool } from '../mcp/rpc.ts';

const missing = { status: 429, headers: { 'retry-after': '60' } };
const over = (quota: string) => ({
  body: {
    success: false,
    statusCode: 429,
    errors: [{ code: 'rate_limited', message: new RegExp(`^the quota ${quota} is used up: `) }],
  },
});
const open = (app: TestApp, key: string, body: object = {}) =>
  app.call(key, 'POST', '/v1/evaluation-sessions', body);
const evaluate = (app: TestApp, key: string, body: object) => app.call(key, 'POST', '/v1/evaluate', body);
const statuses = (responses: { status: number }[], status: number) =>
  responses.filter((response) => response.status === status).length;

t.test('of parallel requests, exactly as many open a session as the quota permits', async (t) => {
  const app = await startApp(t);
  const { id, key } = await app.integration('AGENT', { maxOpenSessions: 10 });
  const stranger = await app.integration('AGENT');
  await open(app, stranger.key);
  const ways = [
    () => open(app, key),
    () => evaluate(app, key, { input: {} }),
    (at: number) => evaluate(app, key, { input: {}, externalSessionId: `run ${at}` }),
  ];
  const responses = await Promise.all(Array.from({ length: 48 }, (_, at) => ways[at % 3]?.(at)));
  const all = responses as Awaited<ReturnType<typeof open>>[];
  t.equal(statuses(all, 429), 38);
  t.match(
    all.find(({ status }) => status === 429),
    { ...missing, ...over('maxOpenSessions') },
  );
  const sessions = (await app.call(key, 'GET', '/v1/evaluation-sessions')).body;
  t.equal(sessions.pagination.total, 10);
  t.equal(
    (await app.call(adminKey, 'GET', `/v1/evaluations?integrationId=${id}`)).body.pagination.total <= 10,
    true,
  );
  const [{ id: sessionId }] = sessions.data;
  t.equal((await evaluate(app, key, { input: {}, sessionId })).status, 200, 'an open one goes on');
  await app.call(key, 'POST', `/v1/evaluation-sessions/${sessionId}/end`);
  t.equal((await open(app, key)).status, 201, 'an ended one makes room');
  t.equal((await open(app, key)).status, 429);
  app.clock.advance(86_400_000);
  t.equal((await open(app, key)).status, 201, 'expired ones, too');
  t.equal((await open(app, stranger.key)).status, 201, 'of another integration');
});

t.test('MCP is no way around a quota, and a replayed request uses nothing of it', async (t) => {
  const app = await startApp(t);
  const { key } = await app.integration('MCP_SERVER', { maxOpenSessions: 1 });
  const once = { 'idempotency-key': 'x' };
  const first = await app.call(key, 'POST', '/v1/evaluation-sessions', {}, once);
  t.equal(first.status, 201);
  for (const [name, args] of [
    ['start_session', {}],
    ['evaluate', { input: {} }],
  ] as const) {
    t.match(await callTool(app, key, name, args), {
      isError: true,
      content: [{ text: /quota maxOpenSessions/ }],
    });
  }
  t.match(await app.call(key, 'POST', '/v1/evaluation-sessions', {}, once), {
    status: 201,
    body: { data: { replayed: true } },
  });
});

t.test('of parallel held actions, exactly as many open a review as the quota permits', async (t) => {
  const app = await startApp(t);
  const { id, key } = await app.integration('REST_API', { maxPendingReviews: 5 });
  await app.policy(id, rule('tool == "pay"', 'APPROVAL_REQUIRED'));
  const pay = (n: number) => evaluate(app, key, { input: { tool: 'pay', n } });
  const held = await Promise.all(Array.from({ length: 40 }, (_, n) => pay(n)));
  t.equal(statuses(held, 429), 35);
  t.match(
    held.find(({ status }) => status === 429),
    { ...missing, ...over('maxPendingReviews') },
  );
  const pending = async () => (await app.call(key, 'GET', '/v1/reviews?status=PENDING')).body;
  t.equal((await pending()).pagination.total, 5);
  t.equal((await evaluate(app, key, { input: { tool: 'look' } })).status, 200, 'what is not held goes on');
  const again = held.findIndex(({ status }) => status === 200);
  t.equal((await pay(again)).status, 200, 'the same action shares its review');
  await app.call(adminKey, 'POST', `/v1/reviews/${(await pending()).data[0].id}/reject`);
  t.equal((await pay(100)).status, 200, 'a decided one makes room');
  t.equal((await pay(101)).status, 429);
  app.clock.advance(900_000);
  t.equal((await pay(102)).status, 200, 'expired ones, too');
});

t.test('bytes are counted for a day of UTC, in every kind of request, exactly', async (t) => {
  const app = await startApp(t);
  const { id, key } = await app.integration('REST_API', { maxBytesPerDay: 10_000, contentRetention: 'full' });
  const text = 'x'.repeat(989);
  // {"text":"…"} is 1,000 bytes.
  const responses = await Promise.all(
    Array.from({ length: 30 }, () => evaluate(app, key, { input: { text } })),
  );
  t.equal(statuses(responses, 200), 10);
  t.match(
    responses.find(({ status }) => status === 429),
    {
      headers: { 'retry-after': '86400' },
      ...over('maxBytesPerDay'),
    },
  );
  for (const refused of [
    await evaluate(app, key, { input: {} }),
    await evaluate(app, key, { input: {}, targetKey: 'x' }),
    await open(app, key, { metadata: { text } }),
  ]) {
    t.match(refused, { status: 429 });
  }
  app.clock.advance(86_399_000);
  t.match(await evaluate(app, key, { input: { text } }), { status: 429, headers: { 'retry-after': '1' } });
  app.clock.advance(1_000);
  t.equal((await open(app, key, { metadata: { text } })).status, 201, 'another day');
  const rest = await Promise.all(Array.from({ length: 20 }, () => evaluate(app, key, { input: { text } })));
  t.equal(statuses(rest, 200), 9, 'metadata of sessions counts, too');
  await app.call(adminKey, 'PATCH', `/v1/integrations/${id}`, { settings: { maxBytesPerDay: null } });
  t.equal((await evaluate(app, key, { input: { text } })).status, 200);
});

t.test('what retention does not keep uses nothing of the quota', async (t) => {
  const app = await startApp(t);
  const { key } = await app.integration('REST_API', { maxBytesPerDay: 100, contentRetention: 'none' });
  for (let count = 0; count < 5; count++) {
    t.equal((await evaluate(app, key, { input: { text: 'x'.repeat(90) } })).status, 200);
  }
});
