import t, { type Test } from 'tap';
import { adminKey, startApp, type TestApp } from '../../../helpers/app.ts';
import { exportRecord, verify } from '../../../helpers/record.ts';

const budget = `
schemaVersion: 1
name: budget
counters:
  spent: { over: integration, per: day, where: has(cost.usd), add: cost.usd, settle: cost.usd }
rules:
  - id: over-budget
    when: counters.spent + cost.?usd.orValue(0) > 10
    effect: BLOCK
    message: "{{cost.usd}} after {{counters.spent}}"
`;

async function start(t: Test, settings: object = {}) {
  const app = await startApp(t);
  const { id, key } = await app.integration('REST_API', settings);
  const send = (body: object) => app.call(key, 'POST', '/v1/evaluate', body);
  const evaluate = async (body: object) => {
    const { status, body: response, text } = await send(body);
    if (status !== 200) throw new Error(text);
    return response.data;
  };
  const pay = (usd: number, more: object = {}) =>
    evaluate({ input: { tool: 'ask' }, cost: { usd }, ...more });
  const settled = (resultOf: string, usd: number) =>
    pay(usd, { phase: 'RESULT', resultOf, status: 'OK', input: {} });
  return { app, id, send, evaluate, pay, settled };
}

const read = async (app: TestApp, id: string, explain = '') =>
  (await app.call(adminKey, 'GET', `/v1/evaluations/${id}${explain}`)).body.data;

t.test('a budget counts what actions are said to cost, and then what they came to', async (t) => {
  const { app, id, evaluate, pay, settled } = await start(t);
  await app.policy(id, budget);
  const first = await pay(8);
  t.equal(first.enforcementAction, 'ALLOW');
  const refused = await pay(3);
  t.match(refused, { enforcementAction: 'BLOCK', violations: [{ message: '3 after 8' }] });
  t.match(await settled(first.evaluationRunId, 0.5), { enforcementAction: 'ALLOW' });
  t.match(await pay(9.5), { enforcementAction: 'ALLOW' });
  t.match(await evaluate({ input: { tool: 'ask' } }), { enforcementAction: 'ALLOW' }, 'nothing is said');
  t.match(await pay(0.01), { enforcementAction: 'BLOCK' });
});

t.test('the cost is recorded, and what it is counts after the content is gone', async (t) => {
  const { app, id, evaluate, pay } = await start(t, { contentRetention: 'none' });
  const cost = { usd: 9, inputTokens: 1_200 };
  const { evaluationRunId } = await evaluate({ input: { tool: 'ask' }, cost });
  const { evaluationRunId: without } = await evaluate({ input: { tool: 'ask' } });
  t.strictSame((await read(app, evaluationRunId)).cost, cost);
  t.equal((await read(app, without)).cost, null);

  await app.services.record.roots.sweep();
  const lines = (await exportRecord(app)).map((line) => JSON.parse(line));
  const entry = lines.find((line) => line.entry?.id === evaluationRunId)?.entry;
  t.strictSame(entry?.cost, cost);
  t.notOk(
    'cost' in (lines.find((line) => line.entry?.id === without)?.entry ?? { cost: 0 }),
    'only if stated',
  );
  const { keyId } = app.services.record.key();
  t.strictSame(verify(await exportRecord(app), { trustedKeys: [keyId] }).problems, []);

  await app.policy(id, budget);
  t.match(await pay(2), { enforcementAction: 'BLOCK' }, 'a new counter knows what was recorded');
});

t.test('an explanation shows the cost that a rule read', async (t) => {
  const { app, id, pay } = await start(t);
  await app.policy(id, budget);
  const { evaluationRunId } = await pay(11);
  const { explanation } = await read(app, evaluationRunId, '?explain=true');
  t.match(JSON.stringify(explanation), '"path":"cost.usd","value":11');
});

t.test('a rule that reads a cost that was not stated fails closed', async (t) => {
  const { app, id, evaluate } = await start(t);
  await app.policy(
    id,
    'schemaVersion: 1\nname: strict\nrules:\n  - { id: dear, when: cost.usd > 1, effect: BLOCK }',
  );
  t.match(await evaluate({ input: {} }), {
    enforcementAction: 'BLOCK',
    violations: [{ reason: 'rule_error' }],
  });
  t.match(await evaluate({ input: {}, cost: { usd: 1 } }), { enforcementAction: 'ALLOW' });
});

t.test('a reviewer sees what a held action costs', async (t) => {
  const { app, id, pay } = await start(t);
  await app.policy(id, budget.replace('effect: BLOCK', 'effect: APPROVAL_REQUIRED'));
  const { reviewRequestId } = await pay(11);
  const { body } = await app.call(adminKey, 'GET', `/v1/reviews/${reviewRequestId}`);
  t.strictSame(body.data.cost, { usd: 11 });
});
