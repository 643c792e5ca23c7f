import t from 'tap';
import { countersOf } from '../../../src/policy/counters/read-counters.ts';
import { Recount } from '../../../src/policy/counters/recount.ts';
import { checkPolicyDocument } from '../../../src/policy/document/check-policy-document.ts';
import type { CountedRecord, CounterCell } from '../../../src/schemas/counter-cells.ts';

const at = Date.UTC(2026, 2, 1);
const integration = { id: 'i', name: 'n', kind: 'AGENT' };
const record = (more: Partial<CountedRecord> = {}): CountedRecord => ({
  id: 'e',
  resultOf: null,
  phase: 'ACTION',
  tool: 'pay',
  resultStatus: null,
  cost: null,
  at,
  enforcementAction: 'ALLOW',
  severity: null,
  violations: null,
  dataTags: null,
  detections: null,
  input: '{"amount":5,"customer":"c1"}',
  targetKey: null,
  session: null,
  ...more,
});

function policyWith(counter: string) {
  const checked = checkPolicyDocument(
    `schemaVersion: 1\nname: p\ncounters: { c: { over: integration, within: 24h, ${counter} } }\nrules: [{ id: r, when: "true", effect: WARN }]`,
  );
  const policy = checked.compile?.({ policyId: 'p', policyVersion: 1 });
  if (!policy) throw new Error(JSON.stringify(checked.issues));
  return policy;
}

/** What a counter over the integration has counted of the records: by name, as one sum each. */
function counted(
  counter: string,
  records: readonly CountedRecord[],
  later: readonly CountedRecord[] = [],
): number[] {
  const recount = new Recount(policyWith(counter).counters, integration);
  recount.count(records);
  return recount.writesAfter(later).map(({ becomes }) => {
    const { slices } = becomes as { slices: readonly number[] };
    return slices.reduce((sum, value, place) => (place % 2 === 1 ? sum + value : sum), 0);
  });
}

t.test('each condition reads of the record what an evaluation reads', async (t) => {
  const full = record({
    tool: 'mail',
    dataTags: '["PII"]',
    detections: '[{"type":"EMAIL_ADDRESS","in":"input","path":"/to","start":0,"end":3}]',
    targetKey: 'k',
    enforcementAction: 'WARN',
    severity: 'LOW',
    violations: '[{"ruleId":"a"},{"ruleId":"b"}]',
    session: { id: 's', entityId: 'e', metadata: '{"team":"x"}', startedAt: at - 1_000 },
  });
  const conditions = [
    'tool == "mail" && phase == "ACTION" && result.status == ""',
    '"PII" in dataTags && detections.exists(d, d.type == "EMAIL_ADDRESS" && d.count == 1)',
    'integration.kind == "AGENT" && now == timestamp("2026-03-01T00:00:00Z")',
    'session.id == "s" && session.entityId == "e" && session.metadata.team == "x"',
    'now - session.startedAt == duration("1s")',
    'targetKey == "k" && input.amount == 5',
    'decision.enforcementAction == "WARN" && decision.severity == "LOW" && decision.rules == ["a", "b"]',
  ];
  for (const where of conditions) {
    t.strictSame(counted(`where: '${where}'`, [full]), [1], where);
    t.strictSame(counted(`where: '!(${where})'`, [full]), [], where);
  }
  const bare = 'session.id == "" && session.entityId == null && session.startedAt == now';
  t.strictSame(counted(`where: '${bare} && size(session.metadata) == 0'`, [record()]), [1]);
  const empty = 'targetKey == "" && dataTags == [] && detections == [] && decision.rules == []';
  t.strictSame(counted(`where: '${empty}'`, [record()]), [1]);
  const result = record({ phase: 'RESULT', resultStatus: 'OK' });
  t.strictSame(counted(`on: RESULT, where: 'result.status == "OK"'`, [record(), result]), [1]);
});

t.test('content that a counter needs and that was not kept makes it begin at nothing', async (t) => {
  const sum = 'where: tool == "pay", add: input.amount';
  const gone = record({ input: null });
  t.strictSame(counted(sum, [record(), record()]), [10]);
  t.strictSame(counted(sum, [record(), gone, record()]), []);
  t.strictSame(counted(sum, [record()], [gone]), [], 'among what was recorded meanwhile as well');
  t.strictSame(counted(sum, [record(), record({ input: null, tool: 'other' })]), [5], 'not needed');
  t.strictSame(counted('where: tool == "pay"', [gone]), [1]);
  t.strictSame(
    counted(sum, [record({ input: '{"amount":-1}' }), record()]),
    [5],
    'what failed did not count',
  );
  const masked = (path: string, source = 'input') =>
    record({
      targetKey: 'k',
      detections: JSON.stringify([{ type: 'X', in: source, path, start: 0, end: 1 }]),
    });
  t.strictSame(counted(sum, [masked('/note/1')]), [5], 'a mask elsewhere');
  t.strictSame(counted(sum, [masked('/amount')]), []);
  t.strictSame(counted(sum, [masked('')]), []);
  t.strictSame(counted('where: size(input) > 1', [masked('/note')]), [], 'all of it is read');
  t.strictSame(counted('where: size(input) > 1', [masked('', 'targetMetadata')]), [1]);
  t.strictSame(
    counted(`distinct: 'input["a/b~"]', cap: 5, where: '"a/b~" in input'`, [masked('/a~1b~0/x')]),
    [],
  );
  t.strictSame(counted('where: targetKey == "k"', [masked('', 'targetKey')]), []);
  t.strictSame(counted('where: targetKey == "k"', [masked('/a')]), [1]);
  t.strictSame(counted('where: session.actionCount >= 0', [record()]), [], 'no record has it');
  t.strictSame(counted('where: session.metadata.x == 1', [record()]), [], 'an error');
});

t.test(
  'values, keys and resets are counted in their order, and what comes later changes nothing',
  async (t) => {
    const of = (customer: string, more: Partial<CountedRecord> = {}) =>
      record({ input: JSON.stringify({ amount: 5, customer }), ...more });
    t.strictSame(counted('distinct: input.customer, cap: 5', [of('a'), of('b'), of('a')]), [2, 0, 0]);
    t.strictSame(counted('per: input.customer', [of('a'), of('b'), of('a')]), [2, 2, 1]);
    t.strictSame(counted('reset: tool == "reset"', [of('a'), of('a', { tool: 'reset' }), of('a')]), [2]);
    t.strictSame(counted('counts: BLOCKED', [of('a'), of('a', { enforcementAction: 'BLOCK' })]), [1]);
    t.strictSame(counted('add: input.amount', [of('a')], [of('a', { at: at + 1 })]), [10]);
  },
);

t.test('with one value of `per` more than 10,000, reading the counter is an error', async (t) => {
  const policy = policyWith('per: input.customer');
  const recount = new Recount(policy.counters, integration);
  const pay = (place: number) => record({ input: `{"customer":${place}}` });
  recount.count(Array.from({ length: 10_000 }, (_, place) => pay(place)));
  const readAfter = (later: readonly CountedRecord[]): unknown => {
    const writes = new Map(
      recount.writesAfter(later).map(({ name, becomes }) => [name, becomes as CounterCell]),
    );
    const cells = { find: (_counter: string, _scope: string, name: string) => writes.get(name) ?? null };
    const { c } = policy.bindCounters(countersOf(cells, at, { id: '', resultOf: null })) as {
      c: Map<unknown, unknown>;
    };
    return c.get(0);
  };
  t.equal(readAfter([pay(0)]), 2, 'known ones go on counting');
  t.match(readAfter([pay(10_000)]), { message: /the counter "c" cannot be read: .*10,?000/ });
});

t.test('a result settles what its action has reserved', async (t) => {
  const counter = 'where: tool == "pay", add: input.amount, settle: input.cost';
  const action = (id: string, amount: number) => record({ id, input: JSON.stringify({ amount }) });
  const result = (resultOf: string, input: object) =>
    record({ id: 'r', phase: 'RESULT', resultOf, resultStatus: 'OK', input: JSON.stringify(input) });
  t.strictSame(counted(counter, [action('a', 5), action('b', 7)]), [12, 5, 7]);
  t.strictSame(counted(counter, [action('a', 5), action('b', 7), result('a', { cost: 1 })]), [8, 0, 7]);
  t.strictSame(
    counted(counter, [action('a', 5), result('a', { cost: 1 }), result('a', { cost: 9 })]),
    [1, 0],
  );
  t.strictSame(
    counted(counter, [action('a', 5), result('x', { cost: 1 }), result('a', {})]),
    [5, 5],
    'stays',
  );
});

t.test('what was reserved before its window ended, or before a reset, is not settled', async (t) => {
  const day = 24 * 3_600_000;
  const action = (id: string, more: Partial<CountedRecord> = {}) => record({ id, ...more });
  const result = (resultOf: string, more: Partial<CountedRecord> = {}) =>
    record({ id: 'r', phase: 'RESULT', resultOf, resultStatus: 'OK', input: '{"cost":1}', ...more });
  const counter = 'where: tool == "pay", add: input.amount, settle: input.cost, reset: tool == "reset"';
  const late = { at: at + 2 * day };
  t.strictSame(counted(counter, [action('a'), action('b', late), result('a', late)]), [5, 0, 5]);
  const reset = action('x', { tool: 'reset', input: '{}' });
  t.strictSame(counted(counter, [action('a'), reset, action('b'), result('a')]), [5, 0, 5]);
  t.strictSame(counted(counter, [action('a'), record({ phase: 'PROMPT', input: '{"cost":1}' })]), [5, 5]);
});
