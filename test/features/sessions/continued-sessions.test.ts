import t, { type Test } from 'tap';
import { adminKey, startApp, type TestApp } from '../../helpers/app.ts';

const hour = 3_600_000;
const missing = '00000000-0000-4000-9000-000000000000';
const policy = `
schemaVersion: 1
name: continued
counters:
  calls: { over: tree, where: tool == "call" }
  refused: { over: tree, counts: REJECTED }
rules:
  - { id: mark, tool: mark, when: "true", label: [MARKED] }
  - { id: marked, when: '"MARKED" in session.labels', effect: WARN }
  - { id: personal, when: '"PII" in session.dataTags', effect: WARN }
  - { id: known, tool: use, when: 'size(seen(input.what)) > 0', effect: WARN }
  - { id: attempts, tool: call, when: 'tree.attemptCounts.?call.orValue(0) >= 2', effect: WARN }
  - { id: limit, tool: call, when: counters.calls >= 3, effect: BLOCK }
  - { id: ask, tool: pay, when: "true", effect: APPROVAL_REQUIRED }
  - { id: rejected, tool: pay, when: tree.rejectionCount > 0, effect: WARN }
  - { id: stopped, tool: order, when: counters.refused > 0, effect: BLOCK }
`;

async function start(t: Test, document = policy) {
  const app = await startApp(t);
  const { id, key } = await app.integration('AGENT', { contentRetention: 'full' });
  await app.policy(id, document);
  return { app, id, ...agentOf(app, key) };
}

function agentOf(app: TestApp, key: string) {
  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    app.call(key, 'POST', path, body, headers);
  const open = async (body: object = {}) => {
    const { status, body: response } = await post('/v1/evaluation-sessions', body);
    return { status, response, id: response.data?.id as string, data: response.data };
  };
  const end = (id: string, body: object = {}) => post(`/v1/evaluation-sessions/${id}/end`, body);
  const send = async (sessionId: string, input: object, more: object = {}) => {
    const { body } = await post('/v1/evaluate', { sessionId, input, ...more });
    if (!body.success) throw new Error(JSON.stringify(body));
    const rules = body.data.violations.map(({ ruleId }: { ruleId: string }) => ruleId).sort();
    return { ...body.data, rules, action: body.data.enforcementAction };
  };
  return { key, post, open, end, send };
}

/** A day at a time: nothing is deleted while the clock seems to have jumped. */
async function pass(app: TestApp, days: number): Promise<void> {
  for (let left = days; left > 0; left--) {
    app.clock.advance(24 * hour);
    await app.call(adminKey, 'GET', '/v1/integrations');
  }
  await app.services.endedCounters.sweep();
}

t.test('a session continues an ended one: what was known there counts', async (t) => {
  const { app, open, end, send } = await start(t);
  const entityId = '00000000-0000-4000-8000-0000000000aa';
  const first = await open({ entityId, expiresAt: '2030-01-01T01:00:00.000Z' });
  await send(first.id, { tool: 'mark', mail: 'ann@example.com' });
  for (let calls = 0; calls < 2; calls++) await send(first.id, { tool: 'call' });
  const held = await send(first.id, { tool: 'pay', amount: 1 });
  await app.call(adminKey, 'POST', `/v1/reviews/${held.reviewRequestId}/reject`, { comment: 'no' });
  await end(first.id);
  app.clock.advance(30 * 60_000);
  await app.services.endedCounters.sweep();

  const next = await open({ previousSessionId: first.id.toUpperCase() });
  t.equal(next.status, 201);
  t.match(next.data, {
    previousSessionId: first.id,
    parentSessionId: first.id,
    rootSessionId: first.id,
    depth: 1,
    entityId,
    expiresAt: new Date(app.clock.now() + 24 * hour).toISOString(),
  });
  t.strictSame((await send(next.id, { tool: 'use', what: 'ann@example.com' })).rules, [
    'known',
    'marked',
    'personal',
  ]);
  t.strictSame((await send(next.id, { tool: 'use', what: 'bob@example.com' })).rules, ['marked', 'personal']);
  const again = await send(next.id, { tool: 'pay', amount: 1 });
  t.match(
    again,
    { action: 'BLOCK', reviewRequestId: held.reviewRequestId },
    'what was rejected stays rejected',
  );
  t.ok(again.rules.includes('rejected'));
  t.equal((await send(next.id, { tool: 'order' })).action, 'BLOCK', 'counters of rejections go on');
  t.equal((await send(next.id, { tool: 'call' })).action, 'WARN');
  t.match(await send(next.id, { tool: 'call' }), { action: 'BLOCK' }, 'the limit of the tree holds');
  const listed = await app.call(adminKey, 'GET', `/v1/evaluation-sessions/${next.id}`);
  t.match(listed.body.data, { previousSessionId: first.id, status: 'ACTIVE' });
});

t.test('the chain may be long: each continues the last, below the same root', async (t) => {
  const { app, open, end, send } = await start(t);
  let { id } = await open();
  const root = id;
  for (let place = 0; place < 12; place++) {
    await send(id, place === 5 ? { tool: 'mark', mail: 'ann@example.com' } : { tool: 'x' });
    if (place % 2) app.clock.advance(25 * hour);
    else await end(id);
    const next = await open({ previousSessionId: id });
    t.match(next.data, { depth: 1, rootSessionId: root, previousSessionId: id });
    id = next.id;
  }
  t.strictSame((await send(id, { tool: 'use', what: 'ann@example.com' })).rules, [
    'known',
    'marked',
    'personal',
  ]);
  const { body } = await app.call(adminKey, 'GET', `/v1/evaluation-sessions/${root}`);
  t.match(body.data, { status: 'COMPLETED', actionCount: 1, labels: ['MARKED'] });
});

t.test('limits over the tree hold, however long ago the last session ended', async (t) => {
  const { app, open, end, send } = await start(t);
  const first = await open();
  for (let calls = 0; calls < 3; calls++) t.not((await send(first.id, { tool: 'call' })).action, 'BLOCK');
  const held = await send(first.id, { tool: 'pay', amount: 1 });
  await app.call(adminKey, 'POST', `/v1/reviews/${held.reviewRequestId}/reject`);
  let { id } = first;
  for (const days of [0, 1, 40]) {
    await end(id);
    await pass(app, days);
    id = (await open({ previousSessionId: id })).id;
    t.equal((await send(id, { tool: 'call' })).action, 'BLOCK', `after ${days} days`);
    t.equal((await send(id, { tool: 'order' })).action, 'BLOCK', 'so do counters of rejections');
  }
});

t.test('what was seen is known for a week; then asking is an error, so that nothing looks new', async (t) => {
  const { app, open, end, send } = await start(t);
  const rest = (days: number) => pass(app, days);
  let { id } = await open();
  await send(id, { tool: 'read', mail: 'ann@example.com' });
  const use = async (what: string) => (await send(id, { tool: 'use', what })).rules.includes('known');
  for (let weeks = 0; weeks < 3; weeks++) {
    await end(id);
    await rest(6);
    id = (await open({ previousSessionId: id })).id;
    t.equal(await use('ann@example.com'), true, 'each session of the tree keeps it for another week');
    t.equal(await use('eve@example.com'), weeks > 0, 'asked before');
  }
  await end(id);
  await rest(8);
  id = (await open({ previousSessionId: id })).id;
  t.equal(await use('zoe@example.com'), true, 'the rule fails, and counts as matched');
  await end(id, { status: 'TERMINATED' });
  const other = await open();
  await send(other.id, { tool: 'read', mail: 'ann@example.com' });
  id = (await open()).id;
  t.equal(await use('ann@example.com'), false, 'another conversation');
});

t.test('approvals and grants are not carried over, and open reviews are cancelled', async (t) => {
  const { app, open, end, send } = await start(t);
  const first = await open();
  const held = await send(first.id, { tool: 'pay', amount: 1 });
  await app.call(adminKey, 'POST', `/v1/reviews/${held.reviewRequestId}/approve`);
  await end(first.id);
  const next = await open({ previousSessionId: first.id });
  const { reviewRequestId } = held;
  const used = await send(next.id, { tool: 'pay', amount: 1 }, { reviewRequestId });
  t.match(used, { action: 'APPROVAL_REQUIRED', approval: { applied: false } });
});

t.test('an evaluation opens a session that continues another one, and parallel ones share it', async (t) => {
  const { post, open, end, send } = await start(t);
  const first = await open({ externalSessionId: 'talk' });
  await send(first.id, { tool: 'mark' });
  await end(first.id);
  const body = { externalSessionId: 'talk', previousSessionId: first.id, input: { tool: 'x' } };
  const responses = await Promise.all([1, 2, 3].map(() => post('/v1/evaluate', body)));
  const ids = new Set(responses.map((one) => one.body.data.sessionId));
  t.equal(ids.size, 1);
  t.strictSame(
    responses.map((one) => one.body.data.enforcementAction),
    ['WARN', 'WARN', 'WARN'],
  );
  const [id = ''] = ids;
  const named = await post('/v1/evaluate', { ...body, externalSessionId: undefined, sessionId: id });
  t.match(named.body.errors, [{ path: '/previousSessionId', message: /belongs to a new session/ }]);
  const own = await post('/v1/evaluate', { input: { tool: 'x' }, previousSessionId: id });
  t.match(own.body.errors, [{ message: /cannot be continued: it is ACTIVE/ }]);
});

t.test('a sub-agent that goes on names its parent and its last session', async (t) => {
  const { open, end, send } = await start(t);
  const conversation = await open();
  const agent = await open({ parentSessionId: conversation.id });
  await send(agent.id, { tool: 'mark', mail: 'ann@example.com' });
  await end(agent.id);
  const alone = await open({ previousSessionId: agent.id });
  t.equal(alone.status, 409);
  t.match(alone.response.errors, [
    { path: '/previousSessionId', message: /below another session: name the one above it/ },
  ]);
  const again = await open({ parentSessionId: conversation.id, previousSessionId: agent.id });
  t.match(again.data, { parentSessionId: conversation.id, previousSessionId: agent.id, depth: 1 });
  t.strictSame((await send(again.id, { tool: 'x' })).rules, ['marked', 'personal']);
  await end(conversation.id);
  const late = await open({ parentSessionId: conversation.id, previousSessionId: agent.id });
  t.match(late.response.errors, [{ path: '/parentSessionId', message: 'the parent session is COMPLETED' }]);
  const next = await open({ previousSessionId: conversation.id });
  const later = await open({ parentSessionId: next.id, previousSessionId: again.id });
  t.match(later.data, { depth: 2, rootSessionId: conversation.id });
  t.strictSame((await send(later.id, { tool: 'use', what: 'ann@example.com' })).rules, [
    'known',
    'marked',
    'personal',
  ]);
  const other = await open();
  const strange = await open({ parentSessionId: other.id, previousSessionId: agent.id });
  t.match(strange.response.errors, [{ message: /not in the tree of the parent session/ }]);
  await end(later.id);
  const deep = await open({ previousSessionId: later.id });
  t.equal(deep.status, 409, 'it was below a session that goes on');
});

t.test('nobody continues what is ACTIVE, was stopped, or is of another integration', async (t) => {
  const { app, id, open, end, send } = await start(t);
  const refused = async (previousSessionId: string, more: object = {}) => {
    const { status, response } = await open({ previousSessionId, ...more });
    return [status, response.errors?.[0]?.message, response.errors?.[0]?.path];
  };
  const path = '/previousSessionId';
  const active = await open({ entityId: missing });
  const cannot = (why: string) => [409, `the previous session cannot be continued: ${why}`, path];
  t.strictSame(await refused(active.id), cannot('it is ACTIVE: evaluate in it'));
  await end(active.id, { status: 'TERMINATED' });
  t.strictSame(await refused(active.id), cannot('it is TERMINATED'));

  for (const body of [undefined, { status: 'COMPLETED' }]) {
    const stopped = await open();
    await app.call(adminKey, 'POST', `/v1/evaluation-sessions/${stopped.id.toUpperCase()}/end`, body);
    t.strictSame(await refused(stopped.id), cannot('an operator ended it'));
  }
  const first = await open();
  const sub = await open({ parentSessionId: first.id });
  await send(sub.id, { tool: 'x' });
  await app.call(adminKey, 'POST', `/v1/evaluation-sessions/${sub.id}/end`);
  t.strictSame(await refused(sub.id, { parentSessionId: first.id }), cannot('an operator ended it'));
  await app.call(adminKey, 'POST', `/v1/evaluation-sessions/${first.id}/end`);
  const late = await open();
  const below = await open({ parentSessionId: late.id });
  await end(below.id);
  await app.call(adminKey, 'POST', `/v1/evaluation-sessions/${late.id}/end`);
  t.strictSame(await refused(below.id), cannot('an operator ended it'), 'what was above it');

  const theirs = agentOf(app, (await app.integration('AGENT')).key);
  const strange = await theirs.open();
  await theirs.end(strange.id);
  const notFound = [404, 'there is no evaluation session with this previousSessionId', path];
  t.strictSame(await refused(strange.id), notFound);
  t.strictSame(await refused(missing), notFound);
  const { key } = await app.integration('AGENT', { delegatesTo: [id] });
  const delegating = agentOf(app, key);
  const root = await delegating.open();
  const delegated = await open({ parentSessionId: root.id });
  await end(delegated.id);
  await delegating.end(root.id);
  t.equal((await refused(delegated.id))[0], 409, 'of another integration below whose session it was');
  t.strictSame(await refused(root.id), notFound, 'also where it may have children');
  t.equal((await open({ previousSessionId: 'x' })).status, 400);
  const about = await open({ entityId: missing });
  await end(about.id);
  const other = await open({ previousSessionId: about.id, entityId: '00000000-0000-4000-8000-0000000000aa' });
  t.match(other.response.errors, [
    { path: '/entityId', message: /previous session belongs to another entity/ },
  ]);
});

t.test('a repeated request gets the stored session although its parent has ended since', async (t) => {
  const { post, open, end } = await start(t);
  const parent = await open();
  const body = { parentSessionId: parent.id };
  const once = { 'idempotency-key': 'k' };
  const created = await post('/v1/evaluation-sessions', body, once);
  await end(parent.id);
  const again = await post('/v1/evaluation-sessions', body, once);
  t.equal(again.status, 201);
  t.strictSame(again.body.data, { ...created.body.data, replayed: true });
  t.equal((await post('/v1/evaluation-sessions', body, { 'idempotency-key': 'l' })).status, 409);
});
