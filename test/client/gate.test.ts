import t, { type Test } from 'tap';
import { AssizeStoppedError, createGate, type GateOptions } from '../../src/client/index.ts';
import { adminKey } from '../helpers/app.ts';
import { listeningApp } from '../helpers/listen.ts';
import { rule } from '../helpers/policies.ts';

const every = ['ACTION', 'RESULT', 'PROMPT'];

/** A gate on the real service, under a policy that does one thing. */
async function gated(
  t: Test,
  when: string,
  effect: string,
  options: Partial<GateOptions> = {},
  on = ['ACTION'],
) {
  const app = await listeningApp(t);
  const { id, key } = await app.integration('REST_API');
  await app.policy(
    id,
    rule(when, effect, 'onError: BLOCK').replace('    when:', `    on: [${on}]\n    when:`),
  );
  const client = app.client(key);
  return { app, key, client, operator: app.client(adminKey), gate: createGate({ client, ...options }) };
}

t.test('an allowed action proceeds, and policies see its tool and its arguments', async (t) => {
  const { gate, client } = await gated(t, 'tool == "pay" && input.arguments.amount > 10.0', 'BLOCK');
  const allowed = await gate({ tool: 'pay', input: { amount: 7, id: 7n, at: () => 1 } });
  t.match(allowed, { action: 'proceed', message: '', reviewRequestId: null, error: null });
  const kept = await client.evaluations.get(`${allowed.evaluation?.evaluationRunId}`);
  t.strictSame(kept.input, { tool: 'pay', arguments: { amount: 7, id: '7' } });
  const refused = await gate({ tool: 'pay', input: { amount: 11 } });
  t.match(refused, { action: 'refuse', message: /^blocked by policy: ./ });
  t.equal(refused.evaluation?.sessionId, kept.sessionId, 'one session');
});

t.test('a warning proceeds, says so, and is told', async (t) => {
  const told: unknown[] = [];
  const { gate } = await gated(t, 'tool == "pay"', 'WARN', { onWarn: (_, input) => told.push(input) });
  t.match(await gate({ tool: 'pay', input: {} }), { action: 'proceed', message: /^warning of a policy: ./ });
  t.strictSame(told, [{ tool: 'pay', arguments: {} }]);
});

t.test('a held action is held until its reviewer has approved it, and then passes once', async (t) => {
  for (const named of ['sessionId', 'externalSessionId'] as const) {
    const { gate, client, operator } = await gated(t, 'tool == "pay"', 'APPROVAL_REQUIRED');
    const { id } = await client.sessions.create({ externalSessionId: 'chat-1' });
    const pay = { tool: 'pay', input: { to: 'Ada' }, [named]: named === 'sessionId' ? id : 'chat-1' };
    const held = await gate(pay);
    t.match(held, { action: 'hold', message: /waiting for approval \(review / });
    t.equal((await gate(pay)).reviewRequestId, held.reviewRequestId, 'one review');
    await operator.reviews.approve(`${held.reviewRequestId}`);
    // As another process would: nothing is remembered but the session.
    const elsewhere = createGate({ client });
    t.match(await elsewhere({ ...pay, input: { to: 'Bob' } }), { action: 'hold' }, 'another action');
    t.match(await elsewhere(pay), { action: 'proceed', evaluation: { sessionId: id } });
    t.match(await elsewhere(pay), { action: 'hold' });
  }
});

t.test('identical actions held at once open one review', async (t) => {
  const { gate, operator } = await gated(t, 'tool == "pay"', 'APPROVAL_REQUIRED');
  const held = await Promise.all(Array.from({ length: 8 }, () => gate({ tool: 'pay', input: {} })));
  t.equal(new Set(held.map(({ reviewRequestId }) => reviewRequestId)).size, 1);
  t.equal((await operator.reviews.list()).data.length, 1);
});

t.test('a rejection holds for the conversation, and says what the reviewer says', async (t) => {
  const { gate, client, operator } = await gated(t, 'tool == "pay"', 'APPROVAL_REQUIRED');
  const pay = { tool: 'pay', input: {}, externalSessionId: 'chat-1' };
  const { reviewRequestId } = await gate(pay);
  await operator.reviews.reject(`${reviewRequestId}`, { comment: 'ask finance first' });
  const rejected = { action: 'refuse', message: /^rejected by a reviewer, who says: ask finance first/ };
  for (const one of [gate, gate, createGate({ client })]) t.match(await one(pay), rejected);
  t.equal((await operator.reviews.list()).data.length, 1);
});

t.test('waits for the reviewer as long as it was told to', async (t) => {
  const { gate, operator } = await gated(t, 'tool == "pay"', 'APPROVAL_REQUIRED');
  t.match(await gate({ tool: 'pay', input: {}, waitMs: 20 }), { action: 'hold' });
  const waiting = gate({ tool: 'pay', input: {}, waitMs: Number.POSITIVE_INFINITY });
  await operator.reviews.approve(`${(await operator.reviews.list()).data[0]?.id}`);
  t.match(await waiting, { action: 'proceed' });
});

t.test(
  'a prompt is refused, a result is replaced, and what was let through is not asked again',
  async (t) => {
    const { gate, client } = await gated(t, '"EMAIL_ADDRESS" in dataTags', 'BLOCK', {}, every);
    const session = { externalSessionId: 'chat-1' };
    const prompt = (input: string) => gate({ phase: 'PROMPT', input, message: input, ...session });
    t.match(await prompt('to ada@example.com'), { action: 'refuse', message: /^blocked by policy/ });
    t.match(await prompt('hello'), { action: 'proceed', evaluation: { sessionId: String } });
    t.match(await prompt('hello'), { action: 'proceed', evaluation: null });
    const other = createGate({ client });
    t.match(await other({ phase: 'PROMPT', input: 'hello', message: 'hello', ...session }), {
      evaluation: null,
    });
    const { evaluation } = await gate({ tool: 'look', input: {}, ...session });
    const resultOf = `${evaluation?.evaluationRunId}`;
    const shown = await gate({ phase: 'RESULT', resultOf, input: 'it is ada@example.com', ...session });
    t.match(shown, { action: 'replace', message: /^blocked by policy: / });
    t.notMatch(shown.message, /ada@/);
  },
);

t.test('a name that another session has since is another conversation', async (t) => {
  const { gate, client } = await gated(t, 'false', 'BLOCK');
  const prompt = (input: string) =>
    gate({ phase: 'PROMPT', input, message: input, externalSessionId: 'chat-1' });
  const first = (await prompt('hello')).evaluation?.sessionId;
  t.equal((await prompt('hello')).evaluation, null);
  await client.sessions.end(`${first}`);
  const second = (await prompt('and now?')).evaluation?.sessionId;
  t.not(second, first);
  t.equal((await prompt('hello')).evaluation?.sessionId, second, 'the new session has not seen it');
});

t.test('refuses when there is no decision, and when it was asked wrongly', async (t) => {
  const { app, gate, client } = await gated(t, 'false', 'BLOCK');
  const stranger = createGate({ client: app.client(`asz_live_${'x'.repeat(43)}`) });
  t.match(await stranger({ tool: 'pay', input: {} }), {
    action: 'refuse',
    message: /^not done, because no decision could be made: ./,
    error: { code: 'unauthenticated' },
    evaluation: null,
  });
  const itself: Record<string, unknown> = {};
  itself.itself = itself;
  t.match(await gate({ tool: 'pay', input: itself }), { action: 'refuse', error: TypeError });
  t.match(await gate({ input: {} }), { action: 'refuse', message: /needs the name of its tool/ });
  t.match(await gate({ phase: 'RESULT', input: {} }), { action: 'refuse', message: /needs resultOf/ });
  const { id } = await client.sessions.create();
  await client.sessions.end(id);
  t.match(await gate({ tool: 'pay', input: {}, sessionId: id }), {
    action: 'refuse',
    error: { code: 'conflict' },
  });
  await app.http.close();
  const unreachable = createGate({ client: app.client('asz_live_x', { retries: 0 }) });
  t.match(await unreachable({ tool: 'pay', input: {} }), { action: 'refuse', error: { code: 'network' } });
});

t.test('an approval is of the whole action: nothing in it is hidden from policies', async (t) => {
  const { gate, client, operator } = await gated(t, 'tool == "send"', 'APPROVAL_REQUIRED');
  const send = (data: unknown) => gate({ tool: 'send', input: { mediaType: 'text/plain', data } });
  const files = ['for Ada', 'a'.repeat(2_000), { to: 'Ada' }, new Map([['to', 'Ada']])];
  for (const data of files) {
    const held = await send(data);
    t.equal(held.action, 'hold');
    const kept = await client.evaluations.get(`${held.evaluation?.evaluationRunId}`);
    t.match(kept.input, { arguments: { data: data instanceof Map ? [['to', 'Ada']] : data } });
    await operator.reviews.approve(`${held.reviewRequestId}`);
  }
  for (const data of ['for Bob', 'b'.repeat(2_000), { to: 'Bob' }, new Map([['to', 'Bob']])])
    t.equal((await send(data)).action, 'hold', 'an approval of another one is of no use');
  for (const data of files) t.equal((await send(data)).action, 'proceed');
});

t.test(
  'an approval is for the bytes that were approved, and a Blob, which hides them, is refused',
  async (t) => {
    const { gate, client, operator } = await gated(t, 'tool == "send"', 'APPROVAL_REQUIRED');
    const send = (data: unknown) => gate({ tool: 'send', input: { data } });
    for (const [approved, other] of [
      [Uint8Array.of(1, 2), Uint8Array.of(3, 4)],
      [Uint8Array.of(5, 6).buffer, Uint8Array.of(7, 8).buffer],
    ]) {
      const held = await send(approved);
      t.equal(held.action, 'hold');
      const kept = await client.evaluations.get(`${held.evaluation?.evaluationRunId}`);
      t.match(kept.input, { arguments: { data: { byteLength: 2, base64: /^....$/ } } });
      await operator.reviews.approve(`${held.reviewRequestId}`);
      t.equal((await send(other)).action, 'hold');
      t.equal((await send(approved)).action, 'proceed');
    }
    t.match(await send(new Blob(['for Ada'])), { action: 'refuse', message: /data is a Blob/ });
  },
);

t.test('a number that JSON cannot hold is never evaluated as null', async (t) => {
  const { gate } = await gated(t, 'false', 'BLOCK');
  const amount = JSON.parse('1e999');
  const refused = await gate({ tool: 'pay', input: { amount } });
  t.match(refused, { action: 'refuse', error: TypeError, message: /amount is Infinity/ });
});

t.test('a session that could not be opened is opened by the next call', async (t) => {
  const { client } = await gated(t, 'false', 'BLOCK');
  let failures = 1;
  const create: typeof client.sessions.create = (...request) =>
    failures-- > 0 ? Promise.reject(new Error('no socket')) : client.sessions.create(...request);
  const gate = createGate({ client: { ...client, sessions: { ...client.sessions, create } } });
  t.match(await gate({ tool: 'pay', input: {} }), { action: 'refuse', message: /no socket/ });
  t.match(await gate({ tool: 'pay', input: {} }), { action: 'proceed' });
});

t.test('ends with its signal, whose reason it rejects with', async (t) => {
  const { gate } = await gated(t, 'tool == "pay"', 'APPROVAL_REQUIRED', { waitMs: 60_000 });
  const reason = new Error('the user left');
  await t.rejects(gate({ tool: 'pay', input: {}, signal: AbortSignal.abort(reason) }), reason);
});

t.test('an abort that comes with the decision stops what was let through', async (t) => {
  const abort = new AbortController();
  const reason = new Error('the user left');
  const { gate } = await gated(t, 'tool == "pay"', 'WARN', { onWarn: () => abort.abort(reason) });
  const pay = { tool: 'pay', input: {}, signal: abort.signal };
  await t.rejects(
    gate.run(pay, () => t.fail('it ran')),
    reason,
  );
});

t.test('a held action whose wait was aborted does not run when it is approved later', async (t) => {
  const { gate, operator } = await gated(t, 'tool == "pay"', 'APPROVAL_REQUIRED', {
    waitMs: Number.POSITIVE_INFINITY,
  });
  const reason = new Error('the user left');
  const abort = new AbortController();
  const ran: string[] = [];
  const pay = { tool: 'pay', input: {} };
  const left = gate.run({ ...pay, signal: abort.signal }, () => ran.push('aborted'));
  let review: { id: string } | undefined;
  while (!review) [review] = (await operator.reviews.list()).data;
  abort.abort(reason);
  await t.rejects(left, reason);
  await operator.reviews.approve(review.id);
  await gate.run(pay, () => ran.push('asked again'));
  t.strictSame(ran, ['asked again']);
});

t.test('run does what it may, and returns only what may be shown', async (t) => {
  const { gate, client } = await gated(
    t,
    'phase == "ACTION" ? tool == "drop" : string(input.result).contains("secret")',
    'BLOCK',
    {},
    ['ACTION', 'RESULT'],
  );
  const done: string[] = [];
  const run = (tool: string, returned: () => string) =>
    gate.run({ tool, input: {} }, () => {
      done.push(tool);
      return returned();
    });
  t.equal(await run('look', () => 'fine'), 'fine');
  await t.rejects(
    run('drop', () => 'dropped'),
    AssizeStoppedError,
  );
  await t.rejects(
    run('read', () => 'the secret'),
    { message: /^blocked by policy/ },
  );
  const fails = (message: string) => () => {
    throw new Error(message);
  };
  await t.rejects(run('fail', fails('no such file')), { message: 'no such file' });
  await t.rejects(run('fail', fails('a secret file')), AssizeStoppedError);
  t.strictSame(done, ['look', 'read', 'fail', 'fail']);
  const [session] = (await client.sessions.list()).data;
  const { data } = await client.sessions.evaluations(`${session?.id}`);
  t.strictSame(
    data.map(({ phase, tool, status }) => [phase, tool, status]),
    [
      ['RESULT', 'fail', 'FAILED'],
      ['ACTION', 'fail', null],
      ['RESULT', 'fail', 'FAILED'],
      ['ACTION', 'fail', null],
      ['RESULT', 'read', 'OK'],
      ['ACTION', 'read', null],
      ['ACTION', 'drop', null],
      ['RESULT', 'look', 'OK'],
      ['ACTION', 'look', null],
    ],
  );
});

t.test('a sub-agent opens its session under the one of the agent that delegates', async (t) => {
  const { client } = await gated(t, 'false', 'BLOCK');
  const entityId = '00000000-0000-4000-8000-0000000000aa';
  const { id: parentSessionId } = await client.sessions.create({ entityId });
  for (const session of [{}, { externalSessionId: 'sub' }]) {
    const gate = createGate({ client, parentSessionId, entityId, ...session });
    const { evaluation } = await gate({ tool: 'look', input: {} });
    const opened = await client.sessions.get(`${evaluation?.sessionId}`);
    t.match(opened, { parentSessionId, entityId, depth: 1 });
    t.equal((await gate({ tool: 'look', input: {} })).evaluation?.sessionId, opened.id);
  }
});

t.test('a gate opens a session that continues an ended one', async (t) => {
  const { client } = await gated(t, '"PII" in session.dataTags', 'BLOCK');
  const { id: previousSessionId } = await client.sessions.create();
  await client.evaluate({
    sessionId: previousSessionId,
    phase: 'PROMPT',
    input: { prompt: 'ann@example.com' },
  });
  await client.sessions.end(previousSessionId);
  for (const session of [{}, { externalSessionId: 'talk' }]) {
    const gate = createGate({ client, previousSessionId, ...session });
    const looked = await gate({ tool: 'look', input: {} });
    t.equal(looked.action, 'refuse');
    const opened = await client.sessions.get(`${looked.evaluation?.sessionId}`);
    t.match(opened, { previousSessionId, rootSessionId: previousSessionId });
    t.equal((await gate({ tool: 'look', input: {} })).evaluation?.sessionId, opened.id);
  }
});

t.test('an action has its estimate, and its result what it came to cost', async (t) => {
  const { gate, client } = await gated(t, 'has(cost.usd) && cost.usd > 5', 'BLOCK');
  const ask = { tool: 'ask', input: {}, cost: { usd: 5 } };
  t.equal(await gate.run({ ...ask, costOf: (value) => ({ usd: Number(value) }) }, () => 3), 3);
  await t.rejects(
    gate.run({ ...ask, cost: { usd: 6 } }, () => 3),
    { name: 'AssizeStoppedError' },
  );
  const [session] = (await client.sessions.list()).data;
  const { data } = await client.sessions.evaluations(`${session?.id}`);
  t.strictSame(
    data.map(({ phase, cost }) => [phase, cost]),
    [
      ['ACTION', { usd: 6 }],
      ['RESULT', { usd: 3 }],
      ['ACTION', { usd: 5 }],
    ],
  );
});
