import t from 'tap';
import { adminKey, startApp, type TestApp } from '../../helpers/app.ts';

const hour = 3_600_000;
const ann = '00000000-0000-4000-8000-0000000000aa';

const limits = (counters: string[], name = 'limits'): string => `
schemaVersion: 1
name: ${name}
counters:
${counters.map((counter) => `  ${counter}`).join('\n')}
rules:
  - { id: never, when: 'tool == "never"', effect: BLOCK }
`;

const sums = '{ over: entity, within: 24h, where: tool == "refund", add: input.amount }';

/** An integration with the policy; `act` acts for Ann. */
async function start(app: TestApp, document: string) {
  const { id, key } = await app.integration();
  const policyId = await app.policy(id, document);
  const opened = await app.call(key, 'POST', '/v1/evaluation-sessions', { entityId: ann });
  const act = async (tool: string, amount: number): Promise<void> => {
    const body = { sessionId: opened.body.data.id, input: { tool, amount } };
    const { status, body: response } = await app.call(key, 'POST', '/v1/evaluate', body);
    if (status !== 200) throw new Error(JSON.stringify(response));
  };
  return { id, policyId, act };
}

const register = (app: TestApp) =>
  app.call(adminKey, 'POST', '/v1/entities', { id: ann, name: 'Ann', kind: 'PERSON' });
const countersOf = async (app: TestApp) =>
  (await app.call(adminKey, 'GET', `/v1/entities/${ann}`)).body.data.counters;

t.test('an entity shows its counters as they are now', async (t) => {
  const app = await startApp(t);
  const document = limits([
    `refunds: ${sums}`,
    'calls: { over: entity, per: [day, tool], zone: Europe/Berlin }',
    'own: { over: session }',
    'kinds: { over: entity, within: 24h, distinct: tool, cap: 2 }',
  ]);
  const { id, policyId, act } = await start(app, document);
  t.strictSame((await register(app)).body.data.counters, [], 'nothing is counted yet');
  await act('refund', 300);
  await act('look', 1);
  const of = {
    integrationId: id,
    integrationName: 'test AGENT',
    policyId,
    policyName: 'limits',
    mode: 'ENFORCE',
  };
  const none = { splitBy: null, value: null, keyCount: null, why: null, limits: [] };
  const refunds = { ...of, ...none, name: 'refunds', window: '24h', value: 300 };
  const calls = { ...of, ...none, name: 'calls', window: 'day', splitBy: 'tool', keyCount: 2 };
  const kinds = { ...of, ...none, name: 'kinds', window: '24h', value: 2 };
  t.strictSame(await countersOf(app), [refunds, calls, kinds]);
  await act('write', 1);
  t.strictSame((await countersOf(app)).at(-1), {
    ...kinds,
    value: null,
    why: 'it has more than 2 distinct values',
  });
  app.clock.advance(25 * hour);
  t.strictSame(
    (await countersOf(app)).map(
      ({ value, keyCount }: { value: number; keyCount: number }) => value ?? keyCount,
    ),
    [0, 0, 0],
    'what is out of the window does not count',
  );
});

t.test('each integration counts an entity for itself', async (t) => {
  const app = await startApp(t);
  await register(app);
  const document = limits([`refunds: ${sums}`]);
  const [one, other] = [await start(app, document), await start(app, limits([`paid: ${sums}`], 'other'))];
  await one.act('refund', 1);
  await other.act('refund', 2);
  t.match(await countersOf(app), [
    { integrationId: one.id, name: 'refunds', value: 1 },
    { integrationId: other.id, name: 'paid', value: 2 },
  ]);
  await app.call(adminKey, 'DELETE', `/v1/integrations/${one.id}`);
  t.match(await countersOf(app), [{ integrationId: other.id }], 'a deleted one has no limits');
});

t.test('a new counter has no value before it counted the record', async (t) => {
  const app = await startApp(t);
  await register(app);
  const { id, act } = await start(app, limits([`refunds: ${sums}`]));
  await act('refund', 5);
  await app.policy(id, limits(['all: { over: entity, within: 1h }'], 'more'));
  const [, fresh] = await countersOf(app);
  t.match(fresh, { name: 'all', value: null, why: /counts the record first/ });
  await act('look', 1);
  t.match((await countersOf(app))[1], { name: 'all', value: 2, why: null });
});
