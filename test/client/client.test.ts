import t from 'tap';
import { AssizeError, createAssizeClient } from '../../src/client/index.ts';
import { adminKey } from '../helpers/app.ts';
import { collectGarbage } from '../helpers/garbage.ts';
import { listeningApp } from '../helpers/listen.ts';
import { rule } from '../helpers/policies.ts';
import { hold, pay } from '../helpers/reviews.ts';
import { scriptedServer } from '../helpers/scripted-server.ts';

t.test('evaluates, and a BLOCK is an answer', async (t) => {
  const app = await listeningApp(t);
  const { id, key } = await app.integration('REST_API');
  await app.policy(id, rule('tool == "drop"', 'BLOCK'));
  const client = app.client(key);
  t.match(await client.evaluate({ input: { tool: 'look' } }), {
    enforcementAction: 'ALLOW',
    sessionId: null,
  });
  t.match(await client.evaluate({ input: { tool: 'drop' }, correlationId: 'c-1' }), {
    enforcementAction: 'BLOCK',
    violations: [{ ruleId: 'the-rule' }],
    correlationId: 'c-1',
  });
  const { redactedInput } = await client.evaluate({ input: { to: 'ada@example.com' } }, { redact: true });
  t.notMatch(JSON.stringify(redactedInput), /ada@/);
});

t.test('evaluates prompts and results, and reads one evaluation', async (t) => {
  const app = await listeningApp(t);
  const { id, key } = await app.integration('REST_API');
  const document = rule('"EMAIL_ADDRESS" in dataTags', 'BLOCK');
  await app.policy(id, document.replace('    when:', '    on: [RESULT, PROMPT]\n    when:'));
  const { evaluate, evaluations, sessions } = app.client(key);
  const session = await sessions.start();
  const prompt = await session.evaluate({ phase: 'PROMPT', input: { prompt: 'write to ada@example.com' } });
  t.equal(prompt.enforcementAction, 'BLOCK');
  const { evaluationRunId: resultOf } = await session.evaluate({ input: { tool: 'look' } });
  const result = { phase: 'RESULT', resultOf, status: 'OK', input: { result: 'ada@example.com' } } as const;
  const { evaluationRunId, enforcementAction } = await session.evaluate(result);
  t.equal(enforcementAction, 'BLOCK');
  const { actionCount, toolCounts } = await sessions.get(session.id);
  t.strictSame([actionCount, toolCounts], [1, { look: 1 }]);
  t.match(await evaluations.get(evaluationRunId), { phase: 'RESULT', resultOf, status: 'OK', tool: 'look' });
  await t.rejects(evaluate(result), { code: 'conflict', status: 409 });
  const alone = await evaluate({ input: { tool: 'alone' } });
  t.match(await evaluations.get(alone.evaluationRunId), { sessionId: null, tool: 'alone' });
  const stranger = app.client((await app.integration('REST_API')).key);
  await t.rejects(stranger.evaluations.get(alone.evaluationRunId), { code: 'not_found' });
});

t.test(
  'what waited for its reviewer is evaluated again in the same session, whatever named it',
  async (t) => {
    const sessionId = '0190a6b8-0000-7000-8000-000000000001';
    const reviewRequestId = '0190a6b8-0000-7000-8000-000000000002';
    const decision = (enforcementAction: string, more: object) => ({
      status: 200,
      body: { success: true, statusCode: 200, data: { enforcementAction, sessionId, ...more } },
    });
    const server = await scriptedServer(
      t,
      decision('APPROVAL_REQUIRED', { reviewRequestId }),
      { status: 200, body: { success: true, statusCode: 200, data: { status: 'APPROVED' } } },
      decision('ALLOW', { reviewRequestId: null }),
    );
    const client = createAssizeClient({ url: server.url, apiKey: 'asz_live_x' });
    const request = {
      input: { tool: 'pay' },
      externalSessionId: 'chat-1',
      entityId: sessionId,
      parentSessionId: reviewRequestId,
      previousSessionId: reviewRequestId,
      metadata: { a: 1 },
    };
    t.match(await client.evaluateAndWait(request), { enforcementAction: 'ALLOW' });
    t.strictSame(JSON.parse(server.seen[2]?.body ?? ''), {
      input: { tool: 'pay' },
      sessionId,
      reviewRequestId,
    });
  },
);

t.test('a refusal carries every mistake and its place', async (t) => {
  const app = await listeningApp(t);
  const { key } = await app.integration();
  const request = { input: {}, sessionId: 'x', correlationId: 'c'.repeat(300) };
  const error = await app
    .client(key)
    .evaluate(request)
    .catch((error) => error);
  t.type(error, AssizeError);
  t.match(error, { code: 'invalid', status: 400, requestId: /./ });
  t.strictSame(error.errors.map(({ path }: { path: string }) => path).sort(), [
    '/correlationId',
    '/sessionId',
  ]);
  await t.rejects(app.client(`${key}x`).evaluate({ input: {} }), { code: 'unauthenticated', status: 401 });
});

t.test('an answer that does not say what to do is no decision', async (t) => {
  const body = { success: true, statusCode: 200, data: { enforcementAction: 'PERHAPS' } };
  const { url } = await scriptedServer(
    t,
    { status: 200, body },
    { status: 200, body: { ...body, data: null } },
  );
  const client = createAssizeClient({ url, apiKey: adminKey });
  await t.rejects(client.evaluate({ input: {} }), { code: 'unexpected_response' });
  await t.rejects(client.evaluate({ input: {} }), { code: 'unexpected_response' });
});

t.test('a session is ended when its block is left, with or without an error', async (t) => {
  const app = await listeningApp(t);
  const { sessions } = app.client((await app.integration()).key);
  const seen: string[] = [];
  {
    await using session = await sessions.start({ externalSessionId: 'chat-1', metadata: { team: 'a' } });
    seen.push(session.id);
    t.match(session, { status: 'ACTIVE', externalSessionId: 'chat-1', metadata: { team: 'a' } });
    t.match(await session.evaluate({ input: { tool: 'look' } }), { sessionId: session.id });
  }
  await t.rejects(async () => {
    await using session = await sessions.start();
    seen.push(session.id);
    throw new Error('the work failed');
  }, /the work failed/);
  for (const id of seen) t.match(await sessions.get(id), { status: 'COMPLETED' });
});

t.test('leaving the block of a session that is over already is no error', async (t) => {
  const app = await listeningApp(t);
  const { sessions } = app.client((await app.integration()).key);
  {
    await using session = await sessions.start();
    t.match(await session.end('TERMINATED'), { status: 'TERMINATED' });
    await t.rejects(session.end(), { code: 'conflict', status: 409 });
  }
  await using session = await sessions.start();
  await sessions.end(session.id);
});

t.test('sessions are read, listed by filter, and list what was decided in them', async (t) => {
  const app = await listeningApp(t);
  const { sessions } = app.client((await app.integration()).key);
  const { id } = await sessions.create({ externalSessionId: 'chat-2' });
  await sessions.create();
  t.match(await sessions.list({ externalSessionId: 'chat-2' }), { data: [{ id }], pagination: { total: 1 } });
  t.match(await sessions.list({ page: 2, size: 1 }), {
    data: [{ id }],
    pagination: { total: 2, page: 2, size: 1 },
  });
  t.match(await sessions.evaluations(id), { data: [], pagination: { total: 0 } });
  t.match(await sessions.end(id, { status: 'TERMINATED' }), { status: 'TERMINATED' });
});

t.test('a held action waits for its review, then is asked for again with it', async (t) => {
  const app = await listeningApp(t);
  const { id, key } = await app.integration();
  await app.policy(id, hold());
  const [client, operator] = [app.client(key), app.client(adminKey)];
  const pending = async () => {
    for (;;) {
      const [review] = (await operator.reviews.list({ status: 'PENDING', integrationId: id })).data;
      if (review) return review.id;
    }
  };
  for (const [verb, action] of [
    ['approve', 'ALLOW'],
    ['reject', 'BLOCK'],
  ] as const) {
    const waiting = client.evaluateAndWait(pay);
    const review = await operator.reviews[verb](await pending(), { comment: 'seen' });
    t.match(review, { comment: 'seen' });
    t.match(await waiting, { enforcementAction: action, approval: { reviewRequestId: review.id } });
    t.match(await client.reviews.waitFor(review.id), { id: review.id });
  }
});

t.test('an integration cannot decide its own review', async (t) => {
  const app = await listeningApp(t);
  const { id, key } = await app.integration();
  await app.policy(id, hold());
  const client = app.client(key);
  const { reviewRequestId } = await client.evaluate(pay);
  await t.rejects(client.reviews.approve(`${reviewRequestId}`), { code: 'forbidden', status: 403 });
  t.match(await client.reviews.get(`${reviewRequestId}`), { status: 'PENDING', tool: 'pay' });
});

t.test('waiting ends with its time, with its signal, and with the review', async (t) => {
  collectGarbage(t);
  const app = await listeningApp(t);
  const { id, key } = await app.integration();
  await app.policy(id, hold());
  const client = app.client(key);
  const { reviewRequestId } = await client.evaluate(pay);
  const review = `${reviewRequestId}`;
  for (const wait of [
    () =>
      t.rejects(client.reviews.waitFor(review, { timeoutMs: 50 }), { name: 'AssizeError', code: 'timeout' }),
    () =>
      t.rejects(client.reviews.waitFor(review, { signal: AbortSignal.timeout(50) }), {
        name: 'TimeoutError',
      }),
    async () =>
      t.match(await client.evaluateAndWait(pay, { waitMs: 50 }), { enforcementAction: 'APPROVAL_REQUIRED' }),
  ]) {
    const started = performance.now();
    await wait();
    t.ok(performance.now() - started < 15_000, 'in time: one poll takes 20 seconds');
  }
  app.clock.advance(16 * 60_000);
  t.match(await client.reviews.waitFor(review), { status: 'EXPIRED' });
  await t.rejects(client.reviews.waitFor(crypto.randomUUID()), { code: 'not_found' });
});

t.test('waiting goes on when a poll is cut short, and when the service is away for a moment', async (t) => {
  const review = (status: string) => ({
    status: 200,
    body: { success: true, statusCode: 200, data: { status } },
  });
  const gone = (response: { destroy(): void }) => response.destroy();
  const { url, seen } = await scriptedServer(t, review('PENDING'), gone, gone, gone, review('APPROVED'));
  const client = createAssizeClient({ url, apiKey: adminKey, retryDelayMs: 1 });
  t.match(await client.reviews.waitFor('r'), { status: 'APPROVED' });
  t.equal(seen.length, 5);
});

t.test('an operator takes labels and grants away, and keeps the tool catalogue', async (t) => {
  const app = await listeningApp(t);
  const { id, key } = await app.integration();
  const grant = 'approval: { grant: { same: [tool], uses: 2 } }';
  await app.policy(
    id,
    `schemaVersion: 1
name: held
rules:
  - { id: reads, when: tool == "read", label: [READ] }
  - { id: pays, when: tool == "pay", effect: APPROVAL_REQUIRED, ${grant} }`,
  );
  const [client, operator] = [app.client(key), app.client(adminKey)];
  const { id: sessionId } = await client.sessions.create();
  await client.evaluate({ input: { tool: 'read' }, sessionId });
  const review = async () =>
    `${(await client.evaluate({ input: { tool: 'pay', at: Math.random() }, sessionId })).reviewRequestId}`;
  await operator.reviews.approve(await review(), { once: true });
  t.match(await operator.sessions.get(sessionId), { labels: ['READ'], grants: [] });
  await operator.reviews.approve(await review());
  const { grants } = await operator.sessions.get(sessionId);
  t.match(grants, [{ ruleId: 'pays', usesLeft: 2 }]);
  await t.rejects(client.sessions.removeLabel(sessionId, 'READ'), { code: 'forbidden' });
  t.match(await operator.sessions.removeLabel(sessionId, 'READ'), { labels: [] });
  t.match(await operator.sessions.removeGrant(sessionId, `${grants[0]?.id}`), { grants: [] });

  const tools = [{ name: 'pay', effect: 'EXTERNAL' as const, destinations: ['to'] }];
  t.match(await operator.toolCatalogues.set(id, { tools }), { tools });
  t.match(await operator.toolCatalogues.import(id, { tools: [{ name: 'read' }] }), {
    tools: [tools[0], {}],
    changes: [{ name: 'read', change: 'ADDED' }],
    refused: [],
  });
  const changed = { name: 'read', description: 'other' };
  const { waiting } = await operator.toolCatalogues.import(id, { tools: [changed] });
  const accepted = waiting.map(({ name, digest }) => ({ name, digest }));
  t.match(await operator.toolCatalogues.accept(id, { tools: accepted }), {
    tools: [tools[0], changed],
    waiting: [],
  });
  t.equal((await operator.toolCatalogues.get(id)).tools.length, 2);
  await t.rejects(client.toolCatalogues.get(id), { code: 'forbidden' });
});
