import t from 'tap';
import { adminKey, startApp, type TestApp } from '../helpers/app.ts';
import { heldIntegration, hold, pay } from '../helpers/reviews.ts';

const blocked = (id: string, comment: string | null = null) => ({
  outcome: 'DENY',
  enforcementAction: 'BLOCK',
  reviewRequestId: id,
  approval: { reviewRequestId: id, applied: false, reason: 'rejected', comment },
});
const reasonsOf = ({ violations }: { violations: { reason: string }[] }) =>
  violations.map(({ reason }) => reason);

async function pendingOf(app: TestApp, sessionId: string): Promise<number> {
  const list = await app.call(adminKey, 'GET', `/v1/reviews?status=PENDING&sessionId=${sessionId}`);
  return list.body.pagination.total;
}

t.test('an action that a person rejected is blocked for as long as its session lasts', async (t) => {
  const app = await startApp(t);
  const { key, sessionId, evaluate, review, decide } = await heldIntegration(app);
  const id = await review();
  await decide(id, 'reject', { comment: 'not to this account' });
  for (let attempt = 0; attempt < 3; attempt++) {
    const response = await evaluate();
    t.match(response, { ...blocked(id, 'not to this account'), pollUrl: null });
    t.match(response.violations[0], {
      reason: 'rejected_by_reviewer',
      message: 'a reviewer rejected this action: not to this account',
      enforcementAction: 'BLOCK',
      policyId: '',
    });
    app.clock.advance(3_600_000);
  }
  t.equal(await pendingOf(app, sessionId), 0, 'no review was opened');
  const session = (await app.call(key, 'GET', `/v1/evaluation-sessions/${sessionId}`)).body.data;
  t.match(session, { rejectionCount: 1, blockCount: 3, reviewCount: 1 });
  const recorded = (await app.call(key, 'GET', `/v1/evaluation-sessions/${sessionId}/evaluations`)).body.data;
  t.match(recorded[0], { enforcementAction: 'BLOCK', reviewRequestId: id }, 'the record names the review');

  const another = await evaluate({ input: { tool: 'pay', amount: 8 } });
  t.match(another, { enforcementAction: 'APPROVAL_REQUIRED' }, 'another action is held as before');
  t.not(another.reviewRequestId, id);
  t.match(
    await evaluate({ sessionId: undefined }),
    { enforcementAction: 'APPROVAL_REQUIRED' },
    'so is one in a new session',
  );
});

t.test('a rejection stands whatever the policies say later', async (t) => {
  const app = await startApp(t);
  const { id: integrationId, policyId, evaluate, review, decide } = await heldIntegration(app);
  const id = await review();
  await decide(id, 'reject');
  await app.call(adminKey, 'DELETE', `/v1/integrations/${integrationId}/policies/${policyId}`);
  const response = await evaluate();
  t.match(response, blocked(id));
  t.strictSame(reasonsOf(response), ['rejected_by_reviewer']);
});

t.test('another spelling of the same action is the same action', async (t) => {
  const app = await startApp(t);
  const { id: integrationId, evaluate, review, decide, sessionId } = await heldIntegration(app);
  await app.call(adminKey, 'PUT', `/v1/integrations/${integrationId}/tools`, {
    tools: [{ name: 'pay', effect: 'EXTERNAL', aliases: ['payment'] }],
  });
  const id = await review();
  await decide(id, 'reject');
  const spellings: [name: string, request: object][] = [
    ['another order of the fields', { input: { amount: 7, tool: 'pay' } }],
    ['white space around the name of the tool', { input: { tool: ' pay ', amount: 7 } }],
    ['white space around the target', { targetKey: ' account-1\n' }],
    ['an alias of the tool', { input: { tool: 'payment', amount: 7 } }],
    ['another cost', { cost: { usd: 1 } }],
    ['another spelling of the target', { targetKey: 'Account-1/' }],
    ['metadata of the target', { targetMetadata: { attempt: 2 } }],
    ['another correlation id', { correlationId: 'again' }],
    ['another address to call', { callbackUrl: 'https://example.com/called' }],
  ];
  for (const [name, request] of spellings) t.match(await evaluate(request), blocked(id), name);
  t.equal(await pendingOf(app, sessionId), 0);
  const others: [name: string, request: object][] = [
    ['another target', { targetKey: 'account-2' }],
    ['another argument', { input: { tool: 'pay', amount: 7, note: 'x' } }],
    ['an argument of another type', { input: { tool: 'pay', amount: '7' } }],
  ];
  for (const [name, request] of others)
    t.match(await evaluate(request), { enforcementAction: 'APPROVAL_REQUIRED' }, name);
});

t.test('the same call in another format is the same action', async (t) => {
  const app = await startApp(t);
  const { evaluate, review, decide, sessionId } = await heldIntegration(app);
  const call = { amount: 7, to: { id: 3 } };
  const text = JSON.stringify(call);
  const id = await review({ input: { tool: 'pay', arguments: call } });
  await decide(id, 'reject');
  const formats: [name: string, input: object, more?: object][] = [
    ['the arguments beside the name', { tool: 'pay', ...call }],
    ['as a text', { tool: 'pay', arguments: text }],
    ['under args', { toolName: 'pay', args: call }],
    ['under input', { tool: 'pay', input: call }],
    ['under parameters', { tool: 'pay', parameters: text }],
    ['of OpenAI', { id: 'c1', type: 'function', function: { name: 'pay', arguments: text } }],
    ['with another id', { id: 'c2', type: 'function', function: { name: 'pay', arguments: text } }],
    ['in a list', { tool_calls: [{ id: 'c3', function: { name: 'pay', arguments: text } }] }],
    ['of OpenAI responses', { type: 'function_call', call_id: 'c', name: 'pay', arguments: text }],
    ['of Anthropic', { type: 'tool_use', id: 'c', name: 'pay', input: call }],
    [
      'in a message',
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'pay', input: call }] },
    ],
    ['of MCP', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'pay', arguments: call } }],
    ['of Gemini', { functionCall: { name: 'pay', args: call } }],
    ['of the AI SDK', { type: 'tool-call', toolCallId: 'c', toolName: 'pay', input: call }],
    ['with a name alone', { name: 'pay', arguments: call }],
    ['a field beside the arguments', { tool: 'pay', arguments: call, note: 'x' }],
    ['empty metadata of the target', { tool: 'pay', arguments: call }, { targetMetadata: {} }],
  ];
  for (const [name, input, more] of formats) t.match(await evaluate({ input, ...more }), blocked(id), name);
  t.equal(await pendingOf(app, sessionId), 0);

  const others: [name: string, input: object][] = [
    ['another subject', { tool: 'pay', arguments: call, subject: { type: 'user', id: 'eve' } }],
    ['another resource', { tool: 'pay', arguments: call, resource: { type: 'account', id: '2' } }],
    ['an argument named id', { tool: 'pay', ...call, id: 1 }],
    ['another one', { tool: 'pay', ...call, id: 2 }],
    ['an argument named name', { tool: 'pay', ...call, name: 'pay' }],
    ['an argument named as the object that holds it', { tool: 'pay', input: { ...call, input: { to: 1 } } }],
    ['the same with another value', { tool: 'pay', input: { ...call, input: { to: 2 } } }],
  ];
  const opened = new Set<string>();
  for (const [name, input] of others) {
    const response = await evaluate({ input });
    t.match(response, { enforcementAction: 'APPROVAL_REQUIRED' }, name);
    opened.add(response.reviewRequestId);
    await decide(response.reviewRequestId, 'reject');
  }
  t.equal(opened.size, others.length, 'each of them is an action of its own');
});

t.test('a target that is empty or the name of the tool is none', async (t) => {
  const app = await startApp(t);
  const { evaluate, review, decide } = await heldIntegration(app);
  const id = await review({ targetKey: undefined });
  await decide(id, 'reject');
  for (const targetKey of ['', ' ', 'pay']) t.match(await evaluate({ targetKey }), blocked(id), targetKey);
  const named = await evaluate({ input: { amount: 7 }, targetKey: 'pay' });
  t.match(named, blocked(id), 'the target alone names the tool');
});

t.test('a rejection holds in the whole tree of its session', async (t) => {
  const app = await startApp(t);
  const { key, sessionId, evaluate, review, decide } = await heldIntegration(app);
  const child = async (parentSessionId: string): Promise<string> =>
    (await app.call(key, 'POST', '/v1/evaluation-sessions', { parentSessionId })).body.data.id;
  const id = await review();
  await decide(id, 'reject');
  const [first, second] = [await child(sessionId), await child(sessionId)];
  t.match(await evaluate({ sessionId: first }), blocked(id), 'in a child');
  t.match(await evaluate({ sessionId: await child(second) }), blocked(id), 'in a child of a child');
  const opened = { sessionId: undefined, parentSessionId: sessionId };
  t.match(await evaluate(opened), blocked(id), 'in the first action of a child');

  const other = { input: { tool: 'pay', amount: 9 } };
  const ofChild = await review({ ...other, sessionId: first });
  await decide(ofChild, 'reject', { comment: 'no' });
  t.match(await evaluate(other), blocked(ofChild, 'no'), 'what a child was refused, in its parent');
  t.match(await evaluate({ ...other, sessionId: second }), blocked(ofChild, 'no'), 'and in its sibling');
});

t.test('a first child inherits what its parent was refused before there was a tree', async (t) => {
  const app = await startApp(t);
  const { sessionId, evaluate, review, decide } = await heldIntegration(app);
  const id = await review();
  await decide(id, 'reject');
  t.match(await evaluate({ sessionId: undefined, parentSessionId: sessionId }), blocked(id));
});

t.test('#36: without a session, the same action joins the open review', async (t) => {
  const app = await startApp(t);
  const { id: integrationId, key } = await app.integration('REST_API');
  await app.policy(integrationId, hold());
  const opened = new Set<string>();
  for (let attempt = 0; attempt < 30; attempt++) {
    const noise = { correlationId: `again ${attempt}`, callbackUrl: `https://example.com/${attempt}` };
    const { data } = (await app.call(key, 'POST', '/v1/evaluate', { ...pay, ...noise })).body;
    t.equal(data.enforcementAction, 'APPROVAL_REQUIRED');
    opened.add(data.reviewRequestId);
  }
  t.equal(opened.size, 1);
  t.equal((await app.call(adminKey, 'GET', '/v1/reviews')).body.pagination.total, 1);
});

t.test('without a session, a rejection holds for a day', async (t) => {
  const app = await startApp(t);
  const { id: integrationId, key } = await app.integration('REST_API');
  await app.policy(integrationId, hold());
  const evaluate = async () => (await app.call(key, 'POST', '/v1/evaluate', pay)).body.data;
  const { reviewRequestId: id } = await evaluate();
  await app.call(adminKey, 'POST', `/v1/reviews/${id}/reject`, { comment: 'never' });
  t.match(await evaluate(), blocked(id, 'never'));
  app.clock.advance(86_399_000);
  t.match(await evaluate(), blocked(id, 'never'));
  app.clock.advance(1_000);
  t.match(await evaluate(), { enforcementAction: 'APPROVAL_REQUIRED' });
});

t.test('with afterRejection: ASK_AGAIN the action is held by another review', async (t) => {
  const app = await startApp(t);
  const { id: integrationId, evaluate, resume, review, decide } = await heldIntegration(app);
  const patch = { settings: { afterRejection: 'ASK_AGAIN' } };
  t.equal((await app.call(adminKey, 'PATCH', `/v1/integrations/${integrationId}`, patch)).status, 200);
  const id = await review();
  await decide(id, 'reject', { comment: 'no' });
  t.match(await resume(id), blocked(id, 'no'), 'who names the review gets its answer');
  const again = await evaluate();
  t.match(again, { enforcementAction: 'APPROVAL_REQUIRED' });
  t.not(again.reviewRequestId, id);
  await decide(again.reviewRequestId, 'approve');
  t.match(await resume(again.reviewRequestId), { enforcementAction: 'ALLOW', approval: { applied: true } });
});

t.test('the last word of a person counts', async (t) => {
  const app = await startApp(t);
  const { evaluate, resume, review, decide } = await heldIntegration(app);
  const cheap = await review({ cost: { usd: 1 } });
  const dear = await review({ cost: { usd: 1_000 } });
  t.not(cheap, dear, 'each cost has its review');
  await decide(cheap, 'approve');
  app.clock.advance(1_000);
  await decide(dear, 'reject', { comment: 'too much' });
  const costs = { cost: { usd: 1 } };
  t.match(await resume(cheap, costs), blocked(dear, 'too much'), 'rejected after the approval');
  t.match(await evaluate(costs), blocked(dear, 'too much'));

  const b = await heldIntegration(app);
  const [first, second] = [await b.review({ cost: { usd: 1 } }), await b.review({ cost: { usd: 2 } })];
  await b.decide(second, 'reject');
  app.clock.advance(1_000);
  await b.decide(first, 'approve');
  t.match(await b.resume(first, costs), { enforcementAction: 'ALLOW' }, 'approved after the rejection');
  t.match(await b.evaluate(costs), blocked(second), 'once');
});

t.test(
  'of parallel attempts and a rejection, none opens a review once the rejection is decided',
  async (t) => {
    const here = await startApp(t);
    const there = await startApp(t, {}, { database: here.database, clock: here.clock });
    for (let round = 0; round < 6; round++) {
      const { key, sessionId, review, decide } = await heldIntegration(here);
      const id = await review();
      const attempt = async (app: TestApp) =>
        (await app.call(key, 'POST', '/v1/evaluate', { ...pay, sessionId })).body.data;
      const attempts = Array.from({ length: 16 }, (_, place) => attempt(place % 2 ? here : there));
      const rejection = decide(id, 'reject');
      const responses = await Promise.all(attempts);
      t.equal((await rejection).status, 200);
      for (const { enforcementAction, reviewRequestId } of responses) {
        t.ok(['APPROVAL_REQUIRED', 'BLOCK'].includes(enforcementAction));
        t.equal(reviewRequestId, id, 'held by the same review before, blocked by it after');
      }
      t.match(await attempt(here), blocked(id));
      t.match(await attempt(there), blocked(id));
      const all = await here.call(adminKey, 'GET', `/v1/reviews?sessionId=${sessionId}`);
      t.equal(all.body.pagination.total, 1);
    }
  },
);

const limits = `
schemaVersion: 1
name: limits
counters:
  ofPerson: { over: entity, counts: REJECTED, within: 24h, where: tool == "pay" }
  perAccount: { over: integration, counts: REJECTED, within: 24h, where: tool == "pay", per: targetKey }
  accounts: { over: tree, counts: REJECTED, distinct: targetKey, cap: 10 }
  amount: { over: session, counts: REJECTED, where: tool == "pay", add: input.amount }
  held: { over: session, counts: HELD }
rules:
  - { id: pays, tool: pay, when: "true", effect: APPROVAL_REQUIRED }
  - { id: in-session, tool: look, when: session.rejectionCount >= 1, effect: WARN, message: "{{session.rejectionCount}} of {{session.reviewCount}}" }
  - { id: in-tree, tool: look, when: tree.rejectionCount >= 2, effect: WARN, message: "{{tree.rejectionCount}}" }
  - { id: person, tool: look, when: counters.ofPerson > 0, effect: WARN, message: "{{counters.ofPerson}}" }
  - { id: account, tool: look, when: 'counters.perAccount[targetKey] > 0', effect: WARN, message: "{{counters.perAccount[targetKey]}}" }
  - { id: accounts, tool: look, when: counters.accounts > 0, effect: WARN, message: "{{counters.accounts}}" }
  - { id: amount, tool: look, when: counters.amount > 0, effect: WARN, message: "{{counters.amount}}" }
`;

t.test('rules and counters know what people have rejected', async (t) => {
  const app = await startApp(t);
  const { id: integrationId, key } = await app.integration('AGENT', { contentRetention: 'none' });
  await app.policy(integrationId, limits);
  const entityId = '00000000-0000-4000-8000-0000000000aa';
  const open = async (more: object = {}): Promise<string> =>
    (await app.call(key, 'POST', '/v1/evaluation-sessions', more)).body.data.id;
  const act = async (sessionId: string, tool: string, targetKey: string, amount = 1) =>
    (await app.call(key, 'POST', '/v1/evaluate', { sessionId, targetKey, input: { tool, amount } })).body
      .data;
  const reject = async (sessionId: string, targetKey: string, amount = 1, verb = 'reject') => {
    const { reviewRequestId } = await act(sessionId, 'pay', targetKey, amount);
    const { status } = await app.call(adminKey, 'POST', `/v1/reviews/${reviewRequestId}/${verb}`);
    t.equal(status, 200);
  };
  const seen = async (sessionId: string, targetKey: string): Promise<string[]> =>
    (await act(sessionId, 'look', targetKey)).violations.map(({ ruleId }: { ruleId: string }) => ruleId);
  const [first, second] = [await open({ entityId }), await open({ entityId })];
  t.strictSame(await seen(first, 'a'), [], 'nobody has rejected anything');
  await reject(first, 'a', 10);
  await reject(first, 'b', 20, 'approve');
  t.strictSame(await seen(first, 'a'), ['in-session', 'person', 'account', 'accounts', 'amount']);
  t.strictSame(await seen(first, 'b'), ['in-session', 'person', 'accounts', 'amount']);
  t.strictSame(await seen(second, 'a'), ['person', 'account'], 'another session of the person');
  t.strictSame(await seen(await open(), 'a'), ['account'], 'a session of nobody');
  const child = await open({ parentSessionId: first });
  await reject(child, 'c');
  t.strictSame(await seen(child, 'x'), ['in-session', 'in-tree', 'person', 'accounts', 'amount']);
  t.strictSame(await seen(first, 'x'), ['in-session', 'in-tree', 'person', 'accounts', 'amount']);
  app.clock.advance(86_400_000 / 2);
  t.match((await app.call(key, 'GET', `/v1/evaluation-sessions/${first}`)).body.data, { rejectionCount: 1 });
});

t.test('what a counter of rejections counts is exact, however many decide at once', async (t) => {
  const here = await startApp(t);
  const there = await startApp(t, {}, { database: here.database, clock: here.clock });
  const { id: integrationId, key } = await here.integration('AGENT', { contentRetention: 'full' });
  await here.policy(
    integrationId,
    limits.replace('when: counters.ofPerson > 0', 'when: counters.ofPerson == 12'),
  );
  const entityId = '00000000-0000-4000-8000-0000000000bb';
  const reviews = await Promise.all(
    Array.from({ length: 12 }, async (_, n) => {
      const { body } = await here.call(key, 'POST', '/v1/evaluation-sessions', { entityId });
      const request = { sessionId: body.data.id, targetKey: `${n}`, input: { tool: 'pay', amount: 1 } };
      const held = await here.call(key, 'POST', '/v1/evaluate', request);
      return { sessionId: body.data.id, id: held.body.data.reviewRequestId };
    }),
  );
  await Promise.all(
    reviews.map(({ id }, n) => (n % 2 ? here : there).call(adminKey, 'POST', `/v1/reviews/${id}/reject`)),
  );
  const { body } = await here.call(key, 'POST', '/v1/evaluate', {
    sessionId: reviews[0]?.sessionId,
    targetKey: 'other',
    input: { tool: 'look', amount: 1 },
  });
  const messages = new Map(
    body.data.violations.map((one: { ruleId: string; message: string }) => [one.ruleId, one.message]),
  );
  t.strictSame(Object.fromEntries(messages), {
    'in-session': '1 of 1',
    person: '12',
    accounts: '1',
    amount: '1',
  });
});

t.test('an explanation says who rejected the action, and how often before', async (t) => {
  const app = await startApp(t);
  const { id: integrationId, evaluate, review, decide } = await heldIntegration(app);
  await app.policy(integrationId, limits.replace('name: limits', 'name: others'));
  const id = await review();
  await decide(id, 'reject', { comment: 'no' });
  const explained = async (run: string) =>
    (await app.call(adminKey, 'GET', `/v1/evaluations/${run}?explain=true`)).body.data.explanation;
  const again = await explained((await evaluate()).evaluationRunId);
  t.match(again.review, { reviewRequestId: id, role: 'REJECTS', status: 'REJECTED', decidedBy: 'owner' });
  t.match(again.text, /It was blocked because the same action of action 1 was rejected by owner at 2030/);
  const look = (await evaluate({ input: { tool: 'look', amount: 1 } })).evaluationRunId;
  await decide(await review({ targetKey: 'account-9' }), 'reject');
  const { text } = await explained(look);
  t.match(text, /session\.rejectionCount is 1/, 'not what was rejected since');
  t.match(text, /counters\.amount is not known, because people rejected/);
});
