import t from 'tap';
import { adminKey, missingId, startApp } from '../helpers/app.ts';
import { rule } from '../helpers/policies.ts';
import { heldIntegration, hold, pay } from '../helpers/reviews.ts';

t.test('an approval lifts the hold once, and the second use opens a new review', async (t) => {
  const app = await startApp(t);
  const { review, decide, resume, read } = await heldIntegration(app);
  const id = await review();
  await decide(id, 'approve');
  app.clock.advance(1_000);
  const allowed = await resume(id.toUpperCase());
  t.match(allowed, {
    outcome: 'FLAG',
    enforcementAction: 'ALLOW',
    violations: [{ enforcementAction: 'APPROVAL_REQUIRED' }],
    reviewRequestId: null,
    pollUrl: null,
    approval: { reviewRequestId: id, applied: true, reason: 'applied' },
  });
  t.match(await read(id), { status: 'CONSUMED', consumedAt: '2030-01-01T00:00:01.000Z' });
  const again = await resume(id);
  t.match(again, {
    enforcementAction: 'APPROVAL_REQUIRED',
    approval: { reviewRequestId: id, applied: false, reason: 'consumed' },
  });
  t.not(again.reviewRequestId, id);
  t.equal((await read(again.reviewRequestId)).status, 'PENDING');
});

t.test('of many parallel uses of one approval exactly one is allowed', async (t) => {
  const here = await startApp(t);
  const there = await startApp(t, {}, { database: here.database, clock: here.clock });
  const { key, sessionId, review, decide, read } = await heldIntegration(here);
  for (const apps of [[here], [here, there]]) {
    const id = await review();
    await decide(id, 'approve');
    const responses = await Promise.all(
      Array.from({ length: 24 }, async (_, place) => {
        const app = apps[place % apps.length] ?? here;
        const request = { ...pay, sessionId, reviewRequestId: id };
        return (await app.call(key, 'POST', '/v1/evaluate', request)).body.data;
      }),
    );
    const allowed = responses.filter(({ enforcementAction }) => enforcementAction === 'ALLOW');
    t.equal(allowed.length, 1);
    t.equal(responses.filter(({ approval }) => approval.reason === 'consumed').length, 23);
    t.equal((await read(id)).status, 'CONSUMED');
  }
});

t.test('an approval counts for the exact action only', async (t) => {
  const app = await startApp(t);
  const a = await heldIntegration(app);
  const session = (await app.call(a.key, 'POST', '/v1/evaluation-sessions')).body.data.id;
  const id = await a.review();
  await a.decide(id, 'approve');
  const others: [name: string, request: object][] = [
    ['another value', { input: { tool: 'pay', amount: 8 } }],
    ['one more field', { input: { tool: 'pay', amount: 7, to: 'x' } }],
    ['another type', { input: { tool: 'pay', amount: '7' } }],
    ['another target', { targetKey: 'account-2' }],
    ['no target', { targetKey: undefined }],
    ['other metadata of the target', { targetMetadata: { to: 'eve' } }],
    ['the same tool under another name of the field', { input: { toolName: 'pay', amount: 7 } }],
    ['a cost that nobody saw', { cost: { usd: 99_999 } }],
    ['another session', { sessionId: session }],
    ['a session of its own', { sessionId: undefined }],
  ];
  for (const [name, request] of others) {
    const response = await a.resume(id, request);
    t.match(
      response,
      {
        enforcementAction: 'APPROVAL_REQUIRED',
        approval: { reviewRequestId: id, applied: false, reason: 'different_action' },
      },
      name,
    );
    t.not(response.reviewRequestId, id, 'a review of its own');
  }
  t.equal((await a.read(id)).status, 'APPROVED', 'and none of them used it up');
  t.equal(
    (await a.resume(id, { input: { amount: 7, tool: 'pay' } })).enforcementAction,
    'ALLOW',
    'in any order',
  );
});

t.test('what is not part of the action may differ', async (t) => {
  const app = await startApp(t);
  const { review, decide, resume } = await heldIntegration(app);
  const id = await review({ correlationId: 'a', callbackUrl: 'https://hooks.example/a' });
  await decide(id, 'approve');
  t.equal((await resume(id, { correlationId: 'b' })).enforcementAction, 'ALLOW');
});

t.test('the same action of another tool is another action', async (t) => {
  const app = await startApp(t);
  const { id: integrationId, key } = await app.integration('REST_API');
  await app.policy(integrationId, rule('true', 'APPROVAL_REQUIRED'));
  const evaluate = async (request: object) =>
    (await app.call(key, 'POST', '/v1/evaluate', request)).body.data;
  const { reviewRequestId } = await evaluate({ input: {}, targetKey: 'a' });
  await app.call(adminKey, 'POST', `/v1/reviews/${reviewRequestId}/approve`);
  t.equal(
    (await evaluate({ input: {}, targetKey: 'b', reviewRequestId })).approval.reason,
    'different_action',
  );
  t.match(await evaluate({ input: {}, targetKey: 'a', reviewRequestId }), {
    enforcementAction: 'ALLOW',
    sessionId: null,
  });
});

t.test('a PENDING review is named again, and no second one is opened', async (t) => {
  const app = await startApp(t);
  const { review, resume } = await heldIntegration(app);
  const id = await review();
  for (let times = 0; times < 2; times++) {
    t.match(await resume(id), {
      enforcementAction: 'APPROVAL_REQUIRED',
      reviewRequestId: id,
      pollUrl: `/v1/reviews/${id}`,
      approval: { applied: false, reason: 'pending' },
    });
  }
  t.equal((await app.call(adminKey, 'GET', '/v1/reviews')).body.pagination.total, 1);
});

t.test('a rejected action is blocked for good; another action is held as ever', async (t) => {
  const app = await startApp(t);
  const { key, sessionId, review, decide, resume } = await heldIntegration(app);
  const id = await review();
  await decide(id, 'reject');
  for (let times = 0; times < 2; times++) {
    t.match(await resume(id), {
      outcome: 'DENY',
      enforcementAction: 'BLOCK',
      reviewRequestId: id,
      pollUrl: null,
      approval: { reviewRequestId: id, applied: false, reason: 'rejected' },
    });
  }
  app.clock.advance(24 * 3_600_000 - 1);
  t.equal((await resume(id)).approval.reason, 'rejected', 'a rejection does not expire');
  t.equal((await resume(id, { input: { tool: 'pay' } })).enforcementAction, 'APPROVAL_REQUIRED');
  const { body } = await app.call(key, 'GET', `/v1/evaluation-sessions/${sessionId}`);
  t.match(body.data, { blockCount: 3, reviewCount: 2 });
});

t.test(
  'an action that is used is judged anew: a BLOCK rule wins, and the approval stays unused',
  async (t) => {
    const app = await startApp(t);
    const { id: integrationId, review, decide, resume, read } = await heldIntegration(app);
    const id = await review();
    await decide(id, 'approve');
    const blocking = await app.policy(integrationId, rule('tool == "pay"', 'BLOCK'));
    t.match(await resume(id), {
      enforcementAction: 'BLOCK',
      reviewRequestId: null,
      approval: { reviewRequestId: id, applied: false, reason: 'blocked' },
    });
    t.equal((await read(id)).status, 'APPROVED');
    await app.call(adminKey, 'DELETE', `/v1/integrations/${integrationId}/policies/${blocking}`);
    t.equal((await resume(id)).enforcementAction, 'ALLOW', 'the policies that asked for it are back');
  },
);

t.test('a limit of the session counts at the use of the approval too', async (t) => {
  const app = await startApp(t);
  const { id: integrationId, review, decide, resume, evaluate, read } = await heldIntegration(app);
  await app.policy(integrationId, rule('tool == "pay" && session.actionCount >= 2', 'BLOCK'));
  const id = await review();
  await decide(id, 'approve');
  await evaluate({ input: { tool: 'x' } });
  t.equal((await resume(id)).approval.reason, 'blocked');
  t.equal((await read(id)).status, 'APPROVED');
});

t.test('what needs no approval any more does not use it up', async (t) => {
  const app = await startApp(t);
  const { policyId, review, decide, resume, read } = await heldIntegration(app);
  const id = await review();
  await decide(id, 'approve');
  await app.call(adminKey, 'POST', `/v1/policies/${policyId}/deprecate`);
  t.match(await resume(id), {
    outcome: 'ALLOW',
    enforcementAction: 'ALLOW',
    approval: { applied: false, reason: 'not_needed' },
  });
  t.equal((await read(id)).status, 'APPROVED');
});

t.test('an approval is bound to the policy versions that asked for it', async (t) => {
  const app = await startApp(t);
  const { policyId, review, decide, resume, read } = await heldIntegration(app);
  const approved = await review();
  await decide(approved, 'approve');
  await app.call(adminKey, 'PUT', `/v1/policies/${policyId}`, hold('', 'stricter'), {
    'content-type': 'application/yaml',
  });
  const response = await resume(approved);
  t.match(response, {
    enforcementAction: 'APPROVAL_REQUIRED',
    approval: {
      reviewRequestId: approved,
      applied: false,
      reason: 'policies_changed',
      message: /new version .*: the-rule \(stricter\)$/,
    },
  });
  t.not(response.reviewRequestId, approved, 'the new version asks anew');
  t.equal((await read(approved)).status, 'APPROVED');
});

t.test('a review that waits expires to the millisecond', async (t) => {
  const app = await startApp(t);
  const { review, resume, read } = await heldIntegration(app);
  const id = await review();
  app.clock.advance(899_999);
  t.equal((await read(id)).status, 'PENDING');
  t.equal((await resume(id)).approval.reason, 'pending');
  app.clock.advance(1);
  t.equal((await read(id)).status, 'EXPIRED');
  const response = await resume(id);
  t.match(response, {
    enforcementAction: 'APPROVAL_REQUIRED',
    approval: { applied: false, reason: 'expired' },
  });
  t.not(response.reviewRequestId, id);
});

t.test('an approval can be used for as long again, to the millisecond', async (t) => {
  const app = await startApp(t);
  const { review, decide, resume, read } = await heldIntegration(app, 'reviewExpirySeconds: 60');
  const used = await review();
  const late = await review({ input: { tool: 'pay', n: 1 } });
  app.clock.advance(59_999);
  for (const id of [used, late]) {
    t.equal((await decide(id, 'approve')).body.data.expiresAt, '2030-01-01T00:01:59.999Z');
  }
  app.clock.advance(59_999);
  t.equal((await resume(used)).enforcementAction, 'ALLOW');
  app.clock.advance(1);
  t.equal((await read(late)).status, 'EXPIRED');
  t.equal((await resume(late, { input: { tool: 'pay', n: 1 } })).approval.reason, 'expired');
  t.equal((await read(used)).status, 'CONSUMED', 'what was used stays so');
});

t.test('the shortest reviewExpirySeconds of the policies that hold the action counts', async (t) => {
  const app = await startApp(t);
  const { id: integrationId, review, read } = await heldIntegration(app, 'reviewExpirySeconds: 3600');
  t.equal((await read(await review())).expiresAt, '2030-01-01T01:00:00.000Z');
  await app.policy(integrationId, hold('reviewExpirySeconds: 90', 'short'));
  await app.policy(integrationId, rule('tool == "x"', 'APPROVAL_REQUIRED', 'reviewExpirySeconds: 60'));
  t.equal((await read(await review())).expiresAt, '2030-01-01T00:01:30.000Z');
});

t.test('an unknown review and a foreign one are 404 alike, and nothing is recorded', async (t) => {
  const app = await startApp(t);
  const a = await heldIntegration(app);
  const b = await heldIntegration(app);
  const foreign = await b.review();
  await b.decide(foreign, 'approve');
  const responses = [];
  for (const reviewRequestId of [foreign, missingId]) {
    responses.push(
      await app.call(a.key, 'POST', '/v1/evaluate', { ...pay, sessionId: a.sessionId, reviewRequestId }),
    );
  }
  t.strictSame(
    responses.map(({ status }) => status),
    [404, 404],
  );
  t.equal(responses[0]?.text, responses[1]?.text);
  const { body } = await app.call(a.key, 'GET', `/v1/evaluation-sessions/${a.sessionId}`);
  t.equal(body.data.actionCount, 0);
  t.equal((await b.read(foreign)).status, 'APPROVED');
});

t.test('a repeated use under one idempotency key is allowed once and answered twice', async (t) => {
  const app = await startApp(t);
  const { key, sessionId, review, decide } = await heldIntegration(app);
  const id = await review();
  await decide(id, 'approve');
  const use = () =>
    app.call(
      key,
      'POST',
      '/v1/evaluate',
      { ...pay, sessionId, reviewRequestId: id },
      { 'idempotency-key': 'u' },
    );
  const [first, second] = [await use(), await use()];
  t.equal(first.body.data.enforcementAction, 'ALLOW');
  t.strictSame(second.body.data, { ...first.body.data, replayed: true });
});

t.test('the record of an allowed action names the approval it used', async (t) => {
  const app = await startApp(t);
  const { key, sessionId, review, decide, resume } = await heldIntegration(app);
  const id = await review();
  await decide(id, 'approve');
  await resume(id);
  const { body } = await app.call(key, 'GET', `/v1/evaluation-sessions/${sessionId}/evaluations`);
  t.match(body.data, [
    { enforcementAction: 'ALLOW', outcome: 'FLAG', reviewRequestId: id },
    { enforcementAction: 'APPROVAL_REQUIRED', reviewRequestId: id },
  ]);
});

t.test(
  'an approval is for what the action costs, which does not make it another one for loops',
  async (t) => {
    const app = await startApp(t);
    const { id, key } = await app.integration();
    await app.policy(
      id,
      `schemaVersion: 1
name: expensive
rules:
  - { id: expensive, when: 'has(cost.usd) && cost.usd > 10', effect: APPROVAL_REQUIRED }
  - { id: again, when: 'session.repeats > 2', effect: BLOCK }`,
    );
    const evaluate = async (usd: number, reviewRequestId?: string) => {
      const more = reviewRequestId === undefined ? {} : { reviewRequestId };
      const request = { externalSessionId: 's', input: { tool: 'model' }, cost: { usd }, ...more };
      return (await app.call(key, 'POST', '/v1/evaluate', request)).body.data;
    };
    const { reviewRequestId } = await evaluate(11);
    await app.call(adminKey, 'POST', `/v1/reviews/${reviewRequestId}/approve`, {});
    t.match(await evaluate(99_999, reviewRequestId), {
      enforcementAction: 'APPROVAL_REQUIRED',
      approval: { applied: false },
    });
    t.match(await evaluate(11, reviewRequestId), {
      enforcementAction: 'ALLOW',
      approval: { applied: true },
    });
    t.match(await evaluate(1), { enforcementAction: 'BLOCK', violations: [{ ruleId: 'again' }] });
  },
);
