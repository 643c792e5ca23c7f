import { randomUUID } from 'node:crypto';
import t from 'tap';
import { operatorKey } from '../durability/process.ts';
import { ask } from './pair.ts';
import { startThree } from './three.ts';

// Three processes with 64 requests each at once. All limits from 1 to 63: EXACT_LIMITS=all npm run test:slow -- postgres test/replicas/exactness.test.ts

const limits =
  process.env.EXACT_LIMITS === 'all' ? Array.from({ length: 63 }, (_, place) => place + 1) : [1, 17, 63];
const requests = 3 * 64;

/** The limit comes with the action, so that one policy serves all of them. */
const policy = `
schemaVersion: 1
name: exact
counters:
  ofEntity: { over: entity, within: 1h, where: tool == "entity" }
  ofAccount: { over: integration, per: input.account, within: 1h, where: tool == "account" }
  ofTree: { over: tree, where: tool == "tree" }
rules:
  - { id: session, tool: session, when: 'session.toolCounts[?"session"].orValue(0) >= input.most', effect: BLOCK }
  - { id: entity, tool: entity, when: counters.ofEntity >= input.most, effect: BLOCK }
  - { id: account, tool: account, when: "counters.ofAccount[input.account] >= input.most", effect: BLOCK }
  - { id: tree, tool: tree, when: counters.ofTree >= input.most, effect: BLOCK }
  - { id: held, tool: held, when: "true", effect: APPROVAL_REQUIRED }
`;

t.test('of 192 requests at once, exactly as many pass as each kind of limit allows', async (t) => {
  const { urls, key, policy: add, atOnce } = await startThree(t);
  await add(policy);
  const call = (url: string, method: string, path: string, body: object, headers = {}) =>
    ask(url, key, method, path, body, headers);
  const open = async (body = {}): Promise<string> =>
    (await call(urls[0], 'POST', '/v1/evaluation-sessions', body)).data.id;
  const evaluate = (url: string, body: object, headers = {}) =>
    call(url, 'POST', '/v1/evaluate', body, headers);
  const allowed = (responses: Awaited<ReturnType<typeof ask>>[]) =>
    responses.filter(({ data }) => data?.enforcementAction === 'ALLOW').length;

  for (const most of limits) {
    const sessionId = await open();
    const inSession = await atOnce(requests, (url) =>
      evaluate(url, { sessionId, input: { tool: 'session', most } }),
    );
    const entityId = randomUUID();
    const ofEntity = await Promise.all(Array.from({ length: 4 }, () => open({ entityId })));
    const overEntity = await atOnce(requests, (url, place) =>
      evaluate(url, { sessionId: ofEntity[place % 4], input: { tool: 'entity', most } }),
    );
    const withoutSession = await atOnce(requests, (url) =>
      evaluate(url, { input: { tool: 'account', account: `account-${most}`, most } }),
    );
    const children = await Promise.all(Array.from({ length: 3 }, () => open({ parentSessionId: sessionId })));
    const overTree = await atOnce(requests, (url, place) =>
      evaluate(url, { sessionId: [sessionId, ...children][place % 4], input: { tool: 'tree', most } }),
    );
    const name = `named-${most}`;
    const named = await atOnce(requests, (url) =>
      evaluate(url, { externalSessionId: name, input: { tool: 'session', most } }),
    );
    t.strictSame(
      [inSession, overEntity, withoutSession, overTree, named].map(allowed),
      [most, most, most, most, most],
      `${most} of ${requests}`,
    );
    t.equal(
      new Set(named.map(({ data }) => data.sessionId)).size,
      1,
      'the first uses of a name open one session',
    );
  }

  await t.test('what can be done once is done once', async (t) => {
    const sessionId = await open();
    const once = await atOnce(requests, (url) =>
      evaluate(url, { sessionId, input: { tool: 'x' } }, { 'idempotency-key': 'one' }),
    );
    t.equal(new Set(once.map(({ data }) => data.evaluationRunId)).size, 1, 'an idempotency key');
    // The same key with another body, at any replica.
    const other = await atOnce(9, (url) =>
      evaluate(url, { sessionId, input: { tool: 'y' } }, { 'idempotency-key': 'one' }),
    );
    t.strictSame(new Set(other.map(({ status }) => status)), new Set([409]));
    const held = { sessionId, input: { tool: 'held' } };
    const { reviewRequestId } = (await evaluate(urls[0], held)).data;
    await ask(urls[1], operatorKey, 'POST', `/v1/reviews/${reviewRequestId}/approve`, {});
    const resumed = await atOnce(requests, (url) => evaluate(url, { ...held, reviewRequestId }));
    t.equal(allowed(resumed), 1, 'an approval');
  });

  await t.test('nothing is recorded in a session after its end', async (t) => {
    const sessionId = await open();
    const end = `/v1/evaluation-sessions/${sessionId}/end`;
    const responses = await atOnce(requests, (url, place) =>
      place === 90
        ? call(url, 'POST', end, { status: 'COMPLETED' })
        : evaluate(url, { sessionId, input: { tool: 'x' } }),
    );
    const statuses = responses.filter((_, place) => place !== 90).map(({ status }) => status);
    t.ok(statuses.every((status) => status === 200 || status === 409));
    t.equal(responses[90]?.status, 200);
    const { data: session } = await ask(urls[2], key, 'GET', `/v1/evaluation-sessions/${sessionId}`);
    t.match(session, {
      status: 'COMPLETED',
      actionCount: statuses.filter((status) => status === 200).length,
    });
    t.equal((await evaluate(urls[0], { sessionId, input: { tool: 'x' } })).status, 409);
  });
});
