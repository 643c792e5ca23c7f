import t, { type Test } from 'tap';
import { isPostgres } from '../../../src/store/address.ts';
import { startApp, type TestApp } from '../../helpers/app.ts';
import { openBeside } from '../../helpers/database-beside.ts';

const hour = 3_600_000;

const policy = (counters: string, when: string, name = 'counted', effect = 'BLOCK') => `
schemaVersion: 1
name: ${name}
counters:
  ${counters}
rules:
  - id: limit
    when: '${when}'
    effect: ${effect}
`;

/** The table of the cells that a session has too many of to keep in its state. */
const cellsOfSessions = ({ database }: TestApp): string =>
  isPostgres(database) ? 'counter_cells' : 'session_cells';

/** An integration with the policy, and what becomes of its actions. */
async function start(t: Test, document: string, app?: TestApp) {
  const at = app ?? (await startApp(t));
  const { id, key } = await at.integration();
  const policyId = await at.policy(id, document);
  const send = async (body: object): Promise<Record<string, never>> => {
    const { status, body: response } = await at.call(key, 'POST', '/v1/evaluate', body);
    if (status !== 200) throw new Error(JSON.stringify(response));
    return response.data;
  };
  const act = async (input: object, more: object = {}): Promise<string> =>
    (await send({ input, ...more })).enforcementAction as unknown as string;
  const open = async (entityId?: string): Promise<{ sessionId: string }> => {
    const body = entityId === undefined ? {} : { entityId };
    const { body: response } = await at.call(key, 'POST', '/v1/evaluation-sessions', body);
    return { sessionId: response.data.id };
  };
  return { app: at, id, key, policyId, send, act, open };
}

t.test(
  'a limit per entity holds across sessions, and without an entity for all of them together',
  async (t) => {
    const { act, open } = await start(
      t,
      policy(
        'refunds: { over: entity, within: 24h, where: tool == "refund", add: input.amount }',
        'tool == "refund" && counters.refunds + input.amount > 500',
      ),
    );
    const [ann, bob] = ['00000000-0000-4000-8000-0000000000aa', '00000000-0000-4000-8000-0000000000bb'];
    const refund = (amount: number) => ({ tool: 'refund', amount });
    t.equal(await act(refund(300), await open(ann)), 'ALLOW');
    t.equal(await act(refund(300), await open(ann)), 'BLOCK', 'another session of the same person');
    t.equal(await act(refund(200), await open(ann)), 'ALLOW', 'what was blocked did not count');
    t.equal(await act(refund(1), await open(ann)), 'BLOCK');
    t.equal(await act({ tool: 'look' }, await open(ann)), 'ALLOW');
    t.equal(await act(refund(500), await open(bob)), 'ALLOW');
    t.equal(await act(refund(500), await open()), 'ALLOW');
    t.equal(await act(refund(1), await open()), 'BLOCK', 'leaving the entity out lifts no limit');
    t.equal(await act(refund(1)), 'BLOCK', 'nor does leaving the session out');
  },
);

t.test('a window ends, a day of the calendar ends in its zone, and both are exact', async (t) => {
  const { app, act } = await start(
    t,
    policy(
      `hourly: { over: integration, within: 1h, where: tool == "a" }
  daily: { over: integration, per: day, zone: Europe/Berlin, where: tool == "b" }`,
      '(tool == "a" && counters.hourly >= 2) || (tool == "b" && counters.daily >= 2)',
    ),
  );
  const three = async (tool: string) => [await act({ tool }), await act({ tool }), await act({ tool })];
  t.strictSame(await three('a'), ['ALLOW', 'ALLOW', 'BLOCK']);
  t.strictSame(await three('b'), ['ALLOW', 'ALLOW', 'BLOCK'], 'it is 01:00 in Berlin');
  app.clock.advance(hour - 1);
  t.equal(await act({ tool: 'a' }), 'BLOCK');
  app.clock.advance(hour / 60 + 1);
  t.strictSame(await three('a'), ['ALLOW', 'ALLOW', 'BLOCK']);
  app.clock.advance(21 * hour);
  t.equal(await act({ tool: 'b' }), 'BLOCK', 'before midnight in Berlin');
  app.clock.advance(hour);
  t.strictSame(await three('b'), ['ALLOW', 'ALLOW', 'BLOCK'], 'after it, though the day in UTC is the same');
});

t.test('what counts is what became of the action; a held one counts when its approval is used', async (t) => {
  const { app, send, act, open } = await start(
    t,
    `
schemaVersion: 1
name: kinds
counters:
  allowed: { over: session }
  held: { over: session, counts: HELD }
  blocked: { over: session, counts: BLOCKED }
  attempted: { over: session, counts: ATTEMPTED }
rules:
  - { id: hold, when: tool == "hold", effect: APPROVAL_REQUIRED }
  - { id: block, when: tool == "block", effect: BLOCK }
  - id: show
    when: tool == "show"
    effect: BLOCK
    message: "{{counters.allowed}} {{counters.held}} {{counters.blocked}} {{counters.attempted}}"
`,
  );
  const session = await open();
  const shown = async () => {
    const { violations } = await send({ input: { tool: 'show' }, ...session });
    return (violations as unknown as { message: string }[])[0]?.message;
  };
  t.equal(await shown(), '0 0 0 0');
  await act({ tool: 'go' }, session);
  await act({ tool: 'block' }, session);
  const { reviewRequestId } = await send({ input: { tool: 'hold' }, ...session });
  t.equal(await shown(), '1 1 2 4', 'blocked ones include the one that showed');
  const { status } = await app.call(
    'asz_admin_'.padEnd(53, 'k'),
    'POST',
    `/v1/reviews/${reviewRequestId}/approve`,
    {},
  );
  t.equal(status, 200);
  t.equal(await act({ tool: 'hold' }, { ...session, reviewRequestId }), 'ALLOW');
  t.equal(await shown(), '2 1 3 6');
});

t.test('a counter is split by a value, reset by an action, and counts results', async (t) => {
  const { send, act, open } = await start(
    t,
    policy(
      `verified: { over: session, per: input.customer, on: RESULT, within: 30m,
              where: 'tool == "id.verify" && result.status == "OK"', reset: tool == "id.reset" }`,
      'tool == "refund" && counters.verified[input.customer] == 0',
    ),
  );
  const session = await open();
  const refund = (customer: unknown) => act({ tool: 'refund', customer }, session);
  async function call(tool: string, customer: unknown, status = 'OK'): Promise<void> {
    const { evaluationRunId } = await send({ input: { tool, customer }, ...session });
    const result = { phase: 'RESULT', resultOf: evaluationRunId, status, input: { customer } };
    await send(result);
  }
  t.equal(await refund('c1'), 'BLOCK');
  await call('id.verify', 'c1', 'FAILED');
  t.equal(await refund('c1'), 'BLOCK');
  await call('id.verify', 'c1');
  await call('id.verify', 7);
  t.equal(await refund('c1'), 'ALLOW');
  t.equal(await refund('c2'), 'BLOCK');
  t.equal(await refund(7), 'ALLOW');
  t.equal(await refund('7'), 'BLOCK', 'the text 7 is another value than the number');
  await call('id.reset', 'c1');
  t.equal(await refund('c1'), 'BLOCK');
  t.equal(await refund(7), 'ALLOW');
  t.equal(await refund({ a: 1 }), 'BLOCK', 'what cannot be a key takes onError');
  t.equal((await send({ input: { tool: 'refund' }, ...session })).enforcementAction as unknown, 'BLOCK');
});

t.test('a condition reads what became of the action, its approval included', async (t) => {
  const { app, send, act, open } = await start(
    t,
    `
schemaVersion: 1
name: became
onError: APPROVAL_REQUIRED
counters:
  warned: { over: session, where: decision.enforcementAction == "WARN" && decision.severity == "HIGH" }
  stopped: { over: session, counts: ATTEMPTED, where: '"block" in decision.rules' }
  through: { over: session, where: tool == "hold" && decision.enforcementAction == "ALLOW" }
  needs: { over: session, counts: ATTEMPTED, where: 'tool == "pay" && decision.rules == [] && input.amount > 0' }
rules:
  - { id: hold, when: tool == "hold", effect: APPROVAL_REQUIRED }
  - { id: block, when: tool == "block", effect: BLOCK }
  - { id: warn, when: tool == "warn", effect: WARN, severity: HIGH }
  - id: show
    when: tool == "show"
    effect: BLOCK
    message: "{{counters.warned}} {{counters.stopped}} {{counters.through}} {{counters.needs}}"
`,
  );
  const session = await open();
  const shown = async () => {
    const { violations } = await send({ input: { tool: 'show' }, ...session });
    return (violations as unknown as { message: string }[])[0]?.message;
  };
  for (const tool of ['warn', 'block', 'other']) await act({ tool }, session);
  t.equal(await act({ tool: 'pay', amount: 1 }, session), 'ALLOW');
  t.match(await send({ input: { tool: 'pay' }, ...session }), {
    enforcementAction: 'APPROVAL_REQUIRED',
    violations: [{ ruleId: 'counters.needs', reason: 'counter_error' }],
  });
  const { reviewRequestId } = await send({ input: { tool: 'hold' }, ...session });
  t.equal(await shown(), '1 1 0 1');
  await app.call(`asz_admin_${'k'.repeat(43)}`, 'POST', `/v1/reviews/${reviewRequestId}/approve`, {});
  t.equal(await act({ tool: 'hold' }, { ...session, reviewRequestId }), 'ALLOW');
  t.equal(await shown(), '1 1 1 1');
});

t.test('an action reserves an amount, and its result settles it', async (t) => {
  const { app, send, act, open } = await start(
    t,
    policy(
      `spent: { over: entity, within: 24h, where: tool == "model", add: input.most, settle: input.cost, reset: tool == "pay" }`,
      'tool == "model" && counters.spent + input.most > 100',
    ),
  );
  const session = await open('00000000-0000-4000-8000-0000000000aa');
  const call = async (most: number) =>
    (await send({ input: { tool: 'model', most }, ...session })) as unknown as {
      evaluationRunId: string;
      enforcementAction: string;
    };
  const end = (resultOf: string, input: object) => send({ phase: 'RESULT', resultOf, status: 'OK', input });
  const [one, two] = [await call(50), await call(50)];
  t.equal((await call(1)).enforcementAction, 'BLOCK', 'both are reserved');
  await end(one.evaluationRunId, { cost: 10 });
  const three = await call(40);
  t.equal(three.enforcementAction, 'ALLOW');
  t.equal((await call(1)).enforcementAction, 'BLOCK', '10 + 50 + 40');
  for (const cost of [-1, 'much', null]) {
    t.match(await end((await call(0)).evaluationRunId, { cost }), {
      enforcementAction: 'BLOCK',
      violations: [{ ruleId: 'counters.spent', reason: 'counter_error' }],
    });
  }
  await end(two.evaluationRunId, { cost: 60 });
  t.equal((await call(0)).enforcementAction, 'BLOCK', 'more than was reserved: 10 + 60 + 40');
  await act({ tool: 'pay' }, session);
  await end(three.evaluationRunId, { cost: 99 });
  t.equal((await call(100)).enforcementAction, 'ALLOW', 'what was set to 0 is not settled any more');
  const other = await send({ input: { tool: 'look' }, ...session });
  t.match(
    await end(other.evaluationRunId as unknown as string, {}),
    { enforcementAction: 'ALLOW' },
    'not counted',
  );
  app.clock.advance(20 * hour);
  const late = await call(0);
  app.clock.advance(23 * hour);
  t.equal(late.enforcementAction, 'ALLOW');
});

t.test('beyond the cap, reading fails and onError decides', async (t) => {
  const { send, open } = await start(
    t,
    policy(
      'hosts: { over: session, distinct: url(input.url).host, cap: 3, where: tool == "get" }',
      'counters.hosts > 100',
    ),
  );
  const session = await open();
  const get = async (host: string) => {
    const input = { tool: 'get', url: `https://${host}/x` };
    const { enforcementAction, violations } = await send({ input, ...session });
    return [
      enforcementAction,
      ...(violations as unknown as { reason: string }[]).map(({ reason }) => reason),
    ];
  };
  for (const host of ['a.com', 'b.com', 'a.com', 'c.com', 'b.com']) t.strictSame(await get(host), ['ALLOW']);
  t.strictSame(await get('d.com'), ['ALLOW'], 'the fourth is counted after it was decided');
  t.strictSame(await get('a.com'), ['BLOCK', 'rule_error']);
});

t.test('an action that a counter cannot count takes onError, and changes nothing', async (t) => {
  const app = await startApp(t);
  const { send, act } = await start(
    t,
    policy(
      'paid: { over: integration, within: 1h, where: tool == "pay", add: input.amount }',
      'tool == "pay" && counters.paid > 100',
    ),
    app,
  );
  for (const amount of [-1, 'many', null, undefined, 1e16, true, [1], 12345678901234567890n]) {
    const text = typeof amount === 'bigint' ? amount.toString() : JSON.stringify(amount);
    const body = `{"input":{"tool":"pay"${text === undefined ? '' : `,"amount":${text}`}}}`;
    const data = await send(JSON.parse(body));
    t.match(data, {
      enforcementAction: 'BLOCK',
      violations: [{ ruleId: 'counters.paid', reason: 'counter_error' }],
    });
  }
  t.equal(await act({ tool: 'pay', amount: 100 }), 'ALLOW');
  t.equal(await act({ tool: 'pay', amount: 0.5 }), 'ALLOW');
  t.equal(await act({ tool: 'pay', amount: 1 }), 'BLOCK', '100.5 so far');
  t.equal(await act({ tool: 'other' }), 'ALLOW');
});

t.test('a value that cannot be told from others is not counted as one of them', async (t) => {
  const app = await startApp(t);
  const { send, act } = await start(
    t,
    policy(
      'hosts: { over: session, where: tool == "get", distinct: input.host, cap: 10 }',
      'tool == "get" && counters.hosts > 5',
    ),
    app,
  );
  for (const host of [['a'], { a: 1 }, null, 'a'.repeat(1_001)]) {
    t.match(await send({ input: { tool: 'get', host } }), {
      enforcementAction: 'BLOCK',
      violations: [{ ruleId: 'counters.hosts', reason: 'counter_error' }],
    });
  }
  t.equal(await act({ tool: 'get', host: 'a' }), 'ALLOW');
});

t.test(
  'a counter keeps its values while its definition is the same, under any name and version',
  async (t) => {
    const counter = (name: string, tool: string) =>
      `${name}: { over: integration, within: 1h, where: tool in params.tools }\nparams: { tools: [${tool}] }`;
    const limit = (name: string) => `tool == "a" && counters.${name} >= 2`;
    const { app, policyId, act, id } = await start(t, policy(counter('calls', 'a'), limit('calls')));
    const put = async (document: string) => {
      const admin = `asz_admin_${'k'.repeat(43)}`;
      const headers = { 'content-type': 'application/yaml' };
      const { status, text } = await app.call(admin, 'PUT', `/v1/policies/${policyId}`, document, headers);
      t.equal(status, 200, text);
    };
    t.equal(await act({ tool: 'a' }), 'ALLOW');
    await put(policy(counter('uses', 'a'), `${limit('uses')} || tool == "never"`));
    t.equal(await act({ tool: 'a' }), 'ALLOW');
    t.equal(await act({ tool: 'a' }), 'BLOCK');
    await app.policy(id, policy(counter('again', 'a'), limit('again'), 'second'));
    t.equal(await act({ tool: 'a' }), 'BLOCK', 'two policies with one counter count once');
    app.clock.advance(2 * hour);
    t.strictSame(
      [await act({ tool: 'a' }), await act({ tool: 'a' }), await act({ tool: 'a' })],
      ['ALLOW', 'ALLOW', 'BLOCK'],
    );
    await put(policy(counter('uses', 'b'), 'tool == "a" && counters.uses > 0'));
    app.clock.advance(2 * hour);
    t.equal(await act({ tool: 'a' }), 'ALLOW', 'with another param it counts something else');
  },
);

t.test('a request that is repeated counts once, and content is not kept', async (t) => {
  const { app, key, act, open } = await start(
    t,
    policy('calls: { over: session, per: input.secret }', 'counters.calls[input.secret] >= 2'),
  );
  const session = await open();
  const body = { input: { tool: 'a', secret: 'hunter2-hunter2' }, ...session };
  const once = { 'idempotency-key': 'k1' };
  for (let times = 0; times < 3; times++) await app.call(key, 'POST', '/v1/evaluate', body, once);
  t.equal(await act(body.input, session), 'ALLOW', 'one so far');
  t.equal(await act(body.input, session), 'BLOCK', 'two');
  for (let value = 0; value < 60; value++) await act({ tool: 'a', secret: `hunter2-${value}` }, session);
  const beside = await openBeside(t, app.database);
  const stored: string[][] = [];
  for (const table of ['counter_scopes', cellsOfSessions(app), 'counter_sets', 'session_states']) {
    const values = (await beside.rows(`SELECT * FROM ${table}`)).flatMap((row) => Object.values(row));
    stored.push(values.map((value) => (Buffer.isBuffer(value) ? value.toString('latin1') : String(value))));
  }
  t.notMatch(stored.flat().join(' '), 'hunter2');
  t.ok((stored[1]?.length ?? 0) > 20 && (stored[3]?.join('').length ?? 0) > 500, 'there are some');
});

t.test('what is kept of sessions and windows that are over is deleted', async (t) => {
  const { app, act, open } = await start(
    t,
    policy(
      `a: { over: session }
  b: { over: entity, within: 1h }`,
      'counters.a > 100 || counters.b > 100',
    ),
  );
  const beside = await openBeside(t, app.database);
  const tables = ['counter_scopes', 'session_states WHERE counters IS NOT NULL', 'counting_sessions'];
  const rows = () => Promise.all(tables.map((from) => beside.count(from)));
  await act({ tool: 'x' }, await open());
  t.strictSame(await rows(), [1, 1, 1]);
  await app.services.endedCounters.sweep();
  t.strictSame(await rows(), [1, 1, 1]);
  app.clock.advance(2 * hour);
  await app.services.endedCounters.sweep();
  app.clock.advance(23 * hour);
  await app.services.endedCounters.sweep();
  t.strictSame(await rows(), [0, 0, 0], 'the window and the session are over');
  await act({ tool: 'x' }, await open());
  app.clock.advance(100 * 24 * hour);
  await app.services.endedCounters.sweep();
  t.strictSame(await rows(), [1, 1, 1], 'a clock that jumped ahead deletes nothing');
  app.services.endedCounters.start();
  await app.services.endedCounters.stop();
});

t.test(
  'the cells of a long session are deleted a few at a time, once it takes no results either',
  async (t) => {
    const { app, key, act, open } = await start(
      t,
      policy('a: { over: session, per: input.n }', 'counters.a[input.n] > 0'),
    );
    const beside = await openBeside(t, app.database);
    const [session, other] = [await open(), await open()];
    for (let n = 0; n < 600; n++) await act({ tool: 'x', n }, session);
    for (let n = 0; n < 60; n++) await act({ tool: 'x', n }, other);
    // The state has room for 48.
    const cells = () => beside.count(cellsOfSessions(app));
    t.equal(await cells(), 552 + 12);
    t.equal(await act({ tool: 'x', n: 3 }, session), 'BLOCK', 'in the state');
    t.equal(await act({ tool: 'x', n: 599 }, session), 'BLOCK', 'in a row');
    const ended = await app.call(key, 'POST', `/v1/evaluation-sessions/${session.sessionId}/end`);
    t.equal(ended.status, 200);
    await app.services.endedCounters.sweep();
    t.equal(await cells(), 552 + 12, 'results may come');
    app.clock.advance(hour / 3);
    await app.services.endedCounters.sweep();
    t.equal(await cells(), 12, 'those of the other session stay');
    t.equal(await act({ tool: 'x', n: 59 }, other), 'BLOCK');
  },
);

t.test('session.repeats counts attempts of the exact action in its session', async (t) => {
  const { app, key, send, open } = await start(
    t,
    `
schemaVersion: 1
name: loops
rules:
  - { id: stop, when: tool == "stop", effect: BLOCK }
  - { id: loop, when: session.repeats >= 2, effect: WARN, message: "{{session.repeats}}" }
`,
  );
  const session = await open();
  const tried = async (body: object, at: object = session) => {
    const { violations } = await send({ ...body, ...at });
    const found = violations as unknown as { ruleId: string; message: string }[];
    return found.find(({ ruleId }) => ruleId === 'loop')?.message ?? '';
  };
  const search = { input: { tool: 'search', q: 'a', n: 1 } };
  t.strictSame([await tried(search), await tried(search), await tried(search)], ['', '', '2']);
  t.equal(
    await tried({ input: { n: 1, q: 'a', tool: 'search' } }),
    '3',
    'the order of keys is no difference',
  );
  t.equal(await tried({ input: { tool: 'search', q: 'b', n: 1 } }), '');
  t.equal(await tried({ ...search, targetKey: 'x' }), '');
  t.equal(await tried({ ...search, targetMetadata: { a: 1 } }), '');
  t.equal(await tried(search, await open()), '', 'another session');
  for (let times = 0; times < 4; times++) t.equal(await tried(search, {}), '', 'no session');
  const stop = { input: { tool: 'stop' } };
  t.strictSame(
    [await tried(stop), await tried(stop), await tried(stop)],
    ['', '', '2'],
    'blocked ones as well',
  );
  const parallel = { input: { tool: 'search', q: 'parallel' } };
  const found = await Promise.all(Array.from({ length: 20 }, () => tried(parallel)));
  t.strictSame(
    found.map(Number).sort((left, right) => left - right),
    [0, 0, ...Array.from({ length: 18 }, (_, index) => index + 2)],
    'each of many at once sees its place',
  );
  const once = { 'idempotency-key': 'k' };
  const sent = { input: { tool: 'search', q: 'once' }, ...session };
  for (let times = 0; times < 3; times++) await app.call(key, 'POST', '/v1/evaluate', sent, once);
  t.equal(await tried({ input: sent.input }), '', 'a request that is repeated is one attempt');
  const { body } = await app.call(key, 'POST', '/v1/evaluate', {
    ...sent,
    phase: 'PROMPT',
    input: { text: 'a' },
  });
  t.equal(body.data.enforcementAction, 'ALLOW');
});
