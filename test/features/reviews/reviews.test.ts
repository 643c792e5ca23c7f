// also on PostgreSQL

import t from 'tap';
import { adminKey, missingId, startApp } from '../../helpers/app.ts';
import { rule } from '../../helpers/policies.ts';
import { heldIntegration } from '../../helpers/reviews.ts';

t.test('a held action opens a review with every field', async (t) => {
  const app = await startApp(t);
  const { id: integrationId, sessionId, evaluate, read, policyId } = await heldIntegration(app);
  const held = await evaluate({ correlationId: 'c-1', callbackUrl: 'https://hooks.example/a' });
  t.match(held, { outcome: 'DENY', enforcementAction: 'APPROVAL_REQUIRED', severity: 'HIGH' });
  const id = held.reviewRequestId;
  t.match(id, /^[0-9a-f-]{36}$/);
  t.equal(held.pollUrl, `/v1/reviews/${id}`);
  t.notOk('approval' in held, 'no approval was named');
  t.match(held.violations, [{ policyId, enforcementAction: 'APPROVAL_REQUIRED' }]);
  t.strictSame(await read(id), {
    id,
    status: 'PENDING',
    integrationId,
    sessionId,
    evaluationRunId: held.evaluationRunId,
    tool: 'pay',
    targetKey: 'account-1',
    targetMetadata: null,
    correlationId: 'c-1',
    cost: null,
    identity: null,
    severity: 'HIGH',
    violations: held.violations,
    dataTags: [],
    input: { tool: 'pay', amount: 7 },
    decidedBy: null,
    comment: null,
    reason: null,
    assignee: null,
    assignedAt: null,
    requires: [{ quorum: 1, from: [] }],
    notRequester: false,
    approvalRefusal: null,
    approvals: [],
    grants: [],
    createdAt: '2030-01-01T00:00:00.000Z',
    expiresAt: '2030-01-01T00:15:00.000Z',
    decidedAt: null,
    consumedAt: null,
    callback: {
      status: 'WAITING',
      url: 'https://hooks.example/a',
      attemptCount: 0,
      nextAttemptAt: null,
      deliveredAt: null,
      lastError: null,
    },
  });
});

t.test('a review that is decided shows of the content what the integration keeps of it', async (t) => {
  const app = await startApp(t);
  const kept = {
    full: { tool: 'pay', to: 'ada@example.com' },
    redacted: { tool: 'pay', to: '[EMAIL_ADDRESS]' },
    none: null,
  };
  const { id, review, read, decide } = await heldIntegration(app);
  for (const [contentRetention, input] of Object.entries(kept)) {
    await app.call(adminKey, 'PATCH', `/v1/integrations/${id}`, { settings: { contentRetention } });
    const reviewId = await review({ input: kept.full });
    await decide(reviewId, 'approve');
    const shown = await read(reviewId);
    t.strictSame(shown.input, input, contentRetention);
    t.strictSame(shown.dataTags, ['PII', 'EMAIL_ADDRESS']);
  }
});

t.test('what is not held opens no review', async (t) => {
  const app = await startApp(t);
  const { evaluate } = await heldIntegration(app);
  t.match(await evaluate({ input: { tool: 'x' } }), { reviewRequestId: null, pollUrl: null });
  t.equal((await app.call(adminKey, 'GET', '/v1/reviews')).body.pagination.total, 0);
});

t.test('without a session or a tool a review says null', async (t) => {
  const app = await startApp(t);
  const { id, key } = await app.integration('REST_API');
  await app.policy(
    id,
    'schemaVersion: 1\nname: all\nrules: [{ id: r, when: "true", effect: APPROVAL_REQUIRED }]\n',
  );
  const { body } = await app.call(key, 'POST', '/v1/evaluate', { input: {} });
  const read = await app.call(key, 'GET', body.data.pollUrl);
  t.match(read.body.data, {
    sessionId: null,
    tool: null,
    targetKey: null,
    correlationId: null,
    cost: null,
    callback: null,
  });
});

t.test('lists newest first, filtered and by page; an integration sees its own only', async (t) => {
  const app = await startApp(t);
  const a = await heldIntegration(app);
  const b = await heldIntegration(app);
  const [pending, approved, rejected, consumed] = [
    await a.review({ input: { tool: 'pay', n: 1 } }),
    await a.review({ input: { tool: 'pay', n: 2 } }),
    await a.review({ input: { tool: 'pay', n: 3 } }),
    await a.review(),
  ];
  const foreign = await b.review();
  await a.decide(approved, 'approve');
  await a.decide(rejected, 'reject');
  await a.decide(consumed, 'approve');
  await a.resume(consumed);
  const list = async (query: string, key = adminKey) => {
    const { status, body } = await app.call(key, 'GET', `/v1/reviews?${query}`);
    t.equal(status, 200);
    return { ids: body.data.map((review: { id: string }) => review.id), ...body.pagination };
  };
  const own = [consumed, rejected, approved, pending];
  const page = { page: 1, size: 50 };
  t.strictSame(await list(''), { ids: [foreign, ...own], total: 5, ...page });
  t.strictSame(await list('', a.key), { ids: own, total: 4, ...page });
  const refused = await app.call(a.key, 'GET', `/v1/reviews?integrationId=${b.id}`);
  t.match([refused.status, refused.body.errors[0].path], [400, '/integrationId'], 'never another');
  t.strictSame(await list(`integrationId=${b.id.toUpperCase()}`), { ids: [foreign], total: 1, ...page });
  t.strictSame(await list(`sessionId=${a.sessionId.toUpperCase()}`), { ids: own, total: 4, ...page });
  t.strictSame(await list(`sessionId=${b.sessionId}`, a.key), { ids: [], total: 0, ...page });
  t.strictSame(await list('size=2&page=2', a.key), { ids: [approved, pending], total: 4, page: 2, size: 2 });
  for (const [status, ids] of [
    ['PENDING', [foreign, pending]],
    ['APPROVED', [approved]],
    ['REJECTED', [rejected]],
    ['CONSUMED', [consumed]],
    ['EXPIRED', []],
  ] as const) {
    t.strictSame(await list(`status=${status}`), { ids, total: ids.length, ...page }, status);
  }
  app.clock.advance(900_000);
  t.strictSame(await list('status=EXPIRED'), { ids: [foreign, approved, pending], total: 3, ...page });
  t.strictSame(await list('status=PENDING'), { ids: [], total: 0, ...page });
  t.strictSame(await list('status=APPROVED'), { ids: [], total: 0, ...page });
  for (const query of ['status=open', 'sessionId=x', 'integrationId=1', 'toolname=pay', 'size=0']) {
    t.equal((await app.call(adminKey, 'GET', `/v1/reviews?${query}`)).status, 400, query);
  }
});

t.test('is read by its integration and by operators; to others it is missing', async (t) => {
  const app = await startApp(t);
  const a = await heldIntegration(app);
  const stranger = await app.integration();
  const id = await a.review();
  const byOwner = await app.call(a.key, 'GET', `/v1/reviews/${id}`);
  const byOperator = await app.call(adminKey, 'GET', `/v1/reviews/${id.toUpperCase()}`);
  t.equal(byOwner.status, 200);
  t.strictSame(byOperator.body.data, { ...byOwner.body.data, approvalRefusal: null });
  for (const query of ['', '?wait=30']) {
    const foreign = await app.call(stranger.key, 'GET', `/v1/reviews/${id}${query}`);
    const missing = await app.call(stranger.key, 'GET', `/v1/reviews/${missingId}${query}`);
    t.equal(foreign.status, 404);
    t.equal(foreign.text, missing.text);
  }
  t.equal((await app.call(null, 'GET', `/v1/reviews/${id}`)).status, 401);
  t.equal((await app.call(null, 'GET', '/v1/reviews')).status, 401);
});

t.test('an operator approves or rejects, with or without a comment', async (t) => {
  const app = await startApp(t);
  const { review, decide, read } = await heldIntegration(app);
  for (const [verb, status, body] of [
    ['approve', 'APPROVED', { comment: 'fine ✓' }],
    ['reject', 'REJECTED', { comment: 'no' }],
    ['approve', 'APPROVED', {}],
    ['reject', 'REJECTED', undefined],
  ] as const) {
    const id = await review({ targetKey: `${verb} ${body?.comment}` });
    app.clock.advance(60_000);
    const now = new Date(app.clock.now()).toISOString();
    const decided = await decide(id, verb, body);
    t.equal(decided.status, 200);
    t.match(decided.body.data, { id, status, comment: body?.comment ?? null, decidedAt: now });
    t.strictSame(await read(id), decided.body.data);
  }
});

t.test(
  'a review that is not PENDING is not decided: 409 names its status, and nothing changes',
  async (t) => {
    const app = await startApp(t);
    const { review, decide, resume, read } = await heldIntegration(app);
    const [approved, rejected, consumed, expired] = [
      await review({ input: { tool: 'pay', n: 1 } }),
      await review({ input: { tool: 'pay', n: 2 } }),
      await review(),
      await review({ input: { tool: 'pay', n: 3 } }),
    ];
    app.clock.advance(899_999);
    await decide(approved, 'approve', { comment: 'first' });
    await decide(rejected, 'reject', { comment: 'first' });
    await decide(consumed, 'approve');
    await resume(consumed);
    app.clock.advance(1);
    for (const [id, status] of [
      [approved, 'APPROVED'],
      [rejected, 'REJECTED'],
      [consumed, 'CONSUMED'],
      [expired, 'EXPIRED'],
    ] as const) {
      const before = await read(id);
      t.equal(before.status, status);
      const who = before.decidedBy ? `: owner decided at ${before.decidedAt}` : '';
      for (const verb of ['approve', 'reject'] as const) {
        const { status: code, body } = await decide(id, verb, { comment: 'second' });
        t.equal(code, 409);
        t.strictSame(body.errors, [{ code: 'conflict', message: `the review is ${status}${who}` }]);
      }
      t.strictSame(await read(id), before);
    }
  },
);

t.test('a decision that names the evaluation it was made on does not cover a later attempt', async (t) => {
  const app = await startApp(t);
  const { id: integrationId, evaluate, decide, read, resume } = await heldIntegration(app);
  await app.policy(
    integrationId,
    rule('tool == "pay" && "EMAIL_ADDRESS" in session.dataTags', 'APPROVAL_REQUIRED').replace(
      'name: one-rule',
      'name: after-reading-mail',
    ),
  );
  const held = await evaluate();
  const id = held.reviewRequestId;
  const seen = (await read(id)).evaluationRunId;
  await evaluate({ input: { tool: 'read', from: 'ada@example.com' } });
  t.equal((await evaluate()).reviewRequestId, id, 'the review now shows the findings of the second attempt');
  for (const verb of ['approve', 'reject'] as const) {
    const { status, body } = await decide(id, verb, { evaluationRunId: seen });
    t.equal(status, 409);
    t.match(body.errors, [{ code: 'conflict', path: '/evaluationRunId' }]);
  }
  const now = await read(id);
  t.equal(now.status, 'PENDING');
  t.equal((await resume(id)).enforcementAction, 'APPROVAL_REQUIRED');
  const latest = (await read(id)).evaluationRunId.toUpperCase();
  t.equal((await decide(id, 'approve', { evaluationRunId: latest })).status, 200);
  t.equal((await resume(id)).enforcementAction, 'ALLOW');
  t.equal((await decide(id, 'approve', { evaluationRunId: 'x' })).status, 400);
});

t.test('of two racing decisions one is 200 and one 409, also between two processes', async (t) => {
  const here = await startApp(t);
  const there = await startApp(t, {}, { database: here.database, clock: here.clock });
  const { review, read } = await heldIntegration(here);
  const deciders = [
    [here, here],
    [here, there],
    [there, here],
  ] as const;
  for (const [amount, [approver, rejecter]] of deciders.entries()) {
    // Another action each time: a rejected one that is asked again has the review that was rejected.
    const id = await review({ input: { tool: 'pay', amount } });
    const responses = await Promise.all([
      approver.call(adminKey, 'POST', `/v1/reviews/${id}/approve`, { comment: 'yes' }),
      rejecter.call(adminKey, 'POST', `/v1/reviews/${id}/reject`, { comment: 'no' }),
    ]);
    t.strictSame(responses.map(({ status }) => status).sort(), [200, 409]);
    const won = responses.find(({ status }) => status === 200)?.body.data;
    t.strictSame(await read(id), won, 'the record is that of the one who won');
  }
});

t.test('no integration key can decide, not even the own one', async (t) => {
  const app = await startApp(t);
  const { key, review, read } = await heldIntegration(app);
  const mcp = await app.integration('MCP_SERVER');
  const id = await review();
  for (const verb of ['approve', 'reject']) {
    for (const by of [key, mcp.key]) {
      for (const target of [id, missingId]) {
        const { status } = await app.call(by, 'POST', `/v1/reviews/${target}/${verb}`, { comment: 'me' });
        t.equal(status, 403, verb);
      }
    }
    t.equal((await app.call(null, 'POST', `/v1/reviews/${id}/${verb}`)).status, 401);
  }
  t.equal((await read(id)).status, 'PENDING');
});
