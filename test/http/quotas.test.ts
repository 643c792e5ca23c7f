import t from 'tap';
import { reviewLimitsOf } from '../../src/evaluate/quotas.ts';
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

t.test('of parallel held actions, exactly as many open a review as there may be', async (t) => {
  const app = await startApp(t);
  const { id, key } = await app.integration('REST_API', { maxPendingReviews: 5 });
  await app.policy(id, rule('tool == "pay"', 'APPROVAL_REQUIRED'));
  const pay = async (n: number) => (await evaluate(app, key, { input: { tool: 'pay', n } })).body.data;
  const decided = await Promise.all(Array.from({ length: 40 }, (_, n) => pay(n)));
  const held = decided.filter(({ enforcementAction }) => enforcementAction === 'APPROVAL_REQUIRED');
  t.equal(held.length, 5);
  t.match(
    decided.find(({ enforcementAction }) => enforcementAction === 'BLOCK'),
    {
      outcome: 'DENY',
      reviewRequestId: null,
      pollUrl: null,
      violations: [
        {
          reason: 'too_many_reviews',
          message:
            'the action needs approval, and 5 reviews of this integration are PENDING: no more can be opened until people decide',
        },
        { enforcementAction: 'APPROVAL_REQUIRED' },
      ],
    },
  );
  const pending = async () => (await app.call(key, 'GET', '/v1/reviews?status=PENDING')).body;
  t.equal((await pending()).pagination.total, 5);
  t.equal((await evaluate(app, key, { input: { tool: 'look' } })).status, 200, 'what is not held goes on');
  const again = decided.indexOf(held[0]);
  t.match(
    await pay(again),
    { reviewRequestId: held[0].reviewRequestId },
    'the same action shares its review',
  );
  const events = await app.call(
    adminKey,
    'GET',
    '/v1/events?type=review.limit-reached&after=0&size=200',
    undefined,
    {
      accept: 'application/json',
    },
  );
  t.equal(events.body.data.events.length, 35);
  t.match(events.body.data.events[0], {
    data: { integrationId: id, tool: 'pay', scope: 'integration', limit: 5 },
  });
  await app.call(adminKey, 'POST', `/v1/reviews/${(await pending()).data[0].id}/approve`);
  t.match(await pay(100), { enforcementAction: 'APPROVAL_REQUIRED' }, 'a decided one makes room');
  t.match(await pay(101), { enforcementAction: 'BLOCK' });
  app.clock.advance(900_000);
  t.match(await pay(102), { enforcementAction: 'APPROVAL_REQUIRED' }, 'expired ones, too');
});

t.test('by default, 20 reviews of a session and its sub-agents may be PENDING', async (t) => {
  const app = await startApp(t);
  const { id, key } = await app.integration('AGENT');
  await app.policy(id, rule('tool == "pay"', 'APPROVAL_REQUIRED'));
  const open = async (parentSessionId?: string) =>
    (await app.call(key, 'POST', '/v1/evaluation-sessions', { parentSessionId })).body.data.id;
  const session = await open();
  const child = await open(session);
  const pay = async (n: number, sessionId = n % 2 ? session : child) =>
    (await evaluate(app, key, { sessionId, input: { tool: 'pay', n } })).body.data;
  const decided = await Promise.all(Array.from({ length: 30 }, (_, n) => pay(n)));
  const held = decided.filter(({ enforcementAction }) => enforcementAction === 'APPROVAL_REQUIRED');
  t.equal(held.length, 20);
  t.match(await pay(30), {
    enforcementAction: 'BLOCK',
    violations: [{ reason: 'too_many_reviews', message: /20 reviews of this session are PENDING/ }, {}],
  });
  t.match(await pay(31, await open()), { enforcementAction: 'APPROVAL_REQUIRED' }, 'another session');
  await app.call(adminKey, 'PATCH', `/v1/integrations/${id}`, {
    settings: { maxPendingReviewsInSession: 21 },
  });
  t.match(await pay(32), { enforcementAction: 'APPROVAL_REQUIRED' });
  t.match(await pay(33), { enforcementAction: 'BLOCK' });
});

t.test('settings from before there were limits of reviews have the defaults', async (t) => {
  const app = await startApp(t);
  const { id } = await app.integration('AGENT', {
    maxPendingReviews: null,
    maxPendingReviewsInSession: null,
  });
  const { settings } = (await app.call(adminKey, 'GET', `/v1/integrations/${id}`)).body.data;
  t.match(settings, { maxPendingReviews: null, maxPendingReviewsInSession: null });
  t.strictSame(reviewLimitsOf(settings), { ofSession: 20, ofIntegration: 1_000 });
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
