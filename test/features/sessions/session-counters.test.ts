// also on PostgreSQL
import t from 'tap';
import { adminKey, startApp } from '../../helpers/app.ts';

const hour = 3_600_000;
const ann = '00000000-0000-4000-8000-0000000000aa';
const limits = `
schemaVersion: 1
name: limits
counters:
  paid: { over: session, within: 24h, where: tool == "pay", add: input.amount }
  tree: { over: tree }
  entity: { over: entity, per: [day, tool] }
  all: { over: integration, within: 1h }
rules:
  - { id: much, when: 'tool == "pay" && counters.paid + input.amount > 500', effect: APPROVAL_REQUIRED }
  - { id: most, when: counters.all >= 1000, effect: BLOCK }
`;

t.test('a session shows its counters with their limits, to operators alone', async (t) => {
  const app = await startApp(t);
  const { id, key } = await app.integration();
  const policyId = await app.policy(id, limits);
  const opened = await app.call(key, 'POST', '/v1/evaluation-sessions', { entityId: ann });
  const parent = opened.body.data.id;
  const child = (await app.call(key, 'POST', '/v1/evaluation-sessions', { parentSessionId: parent })).body
    .data.id;
  const pay = (sessionId: string, amount: number) =>
    app.call(key, 'POST', '/v1/evaluate', { sessionId, input: { tool: 'pay', amount } });
  const countersOf = async (sessionId: string, by = adminKey) =>
    (await app.call(by, 'GET', `/v1/evaluation-sessions/${sessionId}`)).body.data.counters;
  const numbersOf = async (sessionId: string) =>
    (await countersOf(sessionId)).map((one: { over: string; value: number; keyCount: number }) => [
      one.over,
      one.value ?? one.keyCount,
    ]);

  t.match(await countersOf(parent), [
    { name: 'paid', value: null, why: /counts the record first/ },
    {},
    {},
    {},
  ]);
  await pay(parent, 300);
  await pay(child, 20);
  const of = { policyId, policyName: 'limits', mode: 'ENFORCE', splitBy: null, keyCount: null, why: null };
  t.strictSame((await countersOf(parent))[0], {
    ...of,
    over: 'session',
    name: 'paid',
    window: '24h',
    value: 300,
    limits: [{ ruleId: 'much', effect: 'APPROVAL_REQUIRED', comparison: '>', value: 500 }],
  });
  const shared = [
    ['tree', 2],
    ['entity', 1],
    ['integration', 2],
  ];
  t.strictSame(await numbersOf(parent), [['session', 300], ...shared]);
  t.strictSame(await numbersOf(child), [['session', 20], ...shared]);
  t.equal(await countersOf(parent, key), undefined, 'an agent does not learn how near a limit is');
  app.clock.advance(25 * hour);
  t.strictSame(
    (await numbersOf(parent)).map(([, value]: [string, number]) => value),
    [0, 2, 0, 0],
    'what is out of the window does not count',
  );
});

t.test('without counters in force a session has none', async (t) => {
  const app = await startApp(t);
  const { key } = await app.integration();
  const { body } = await app.call(key, 'POST', '/v1/evaluate', {
    externalSessionId: 'a',
    input: { tool: 'x' },
  });
  const read = await app.call(adminKey, 'GET', `/v1/evaluation-sessions/${body.data.sessionId}`);
  t.strictSame(read.body.data.counters, []);
});
