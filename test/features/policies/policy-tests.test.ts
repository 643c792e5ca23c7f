import t from 'tap';
import { wholeCheck } from '../../../src/features/policies/check-job.ts';
import { checkPolicyDocument } from '../../../src/policy/document/check-policy-document.ts';

const document = {
  schemaVersion: 1,
  name: 'tested',
  counters: {
    refunds: { over: 'entity', within: '24h', where: 'tool == "refund"', add: 'input.amount' },
    verified: {
      over: 'session',
      per: 'input.customer',
      on: 'RESULT',
      where: 'tool == "verify" && result.status == "OK"',
    },
  },
  rules: [
    {
      id: 'limit',
      tool: 'refund',
      when: 'counters.refunds + input.amount > 500',
      effect: 'APPROVAL_REQUIRED',
      severity: 'HIGH',
    },
    { id: 'unverified', tool: 'close', when: 'counters.verified[input.customer] == 0', effect: 'BLOCK' },
    { id: 'fifth', tool: 'look', when: 'session.toolCounts[?"look"].orValue(0) >= 4', effect: 'BLOCK' },
    { id: 'again', tool: 'retry', when: 'session.repeats >= 2', effect: 'BLOCK' },
    { id: 'personal', tool: 'send', when: '"PII" in session.dataTags', effect: 'WARN' },
    { id: 'secret', on: ['RESULT'], when: '"CREDENTIALS" in dataTags', effect: 'BLOCK' },
    { id: 'asked', on: ['PROMPT'], when: 'input.prompt.contains("delete everything")', effect: 'BLOCK' },
    {
      id: 'team',
      tool: 'deploy',
      when: 'session.metadata.?team.orValue("") != "ops" || integration.name != "ci"',
      effect: 'BLOCK',
    },
    { id: 'night', tool: 'trade', when: 'now.getHours() >= 18', effect: 'BLOCK' },
    { id: 'broken', tool: 'broken', when: 'input.amount > 1', effect: 'WARN' },
  ],
};

const check = (tests: object[], findPolicy?: (name: string) => string | null) =>
  checkPolicyDocument(JSON.stringify({ ...document, tests }), {
    ...wholeCheck,
    ...(findPolicy && { findPolicy }),
  });

/** Null when a test of these steps passes; else why it fails. */
function failure(...steps: object[]): string | null {
  const { tests, issues } = check([{ name: 'a', steps }]);
  const [test] = tests;
  if (!test) throw new Error(JSON.stringify(issues));
  return test.message ?? null;
}

const allow = { expect: { enforcementAction: 'ALLOW' } };
const block = { expect: { enforcementAction: 'BLOCK' } };
const held = { expect: { enforcementAction: 'APPROVAL_REQUIRED', outcome: 'DENY', severity: 'HIGH' } };
const refund = (amount: number) => ({ tool: 'refund', input: { amount } });

t.test('steps count, over sessions of one entity and over time', async (t) => {
  const passed = failure(
    { entityId: 'ann', ...refund(300), ...allow },
    { ...refund(300), ...held },
    { session: 'second', entityId: 'ann', ...refund(200), ...allow },
    { session: 'third', entityId: 'bob', ...refund(500), ...allow },
    { session: 'fourth', ...refund(500), ...allow },
    { session: 'fifth', ...refund(1), ...held },
    { after: '25h', session: 'sixth', entityId: 'ann', ...refund(500), ...allow },
  );
  t.equal(passed, null);
  t.equal(failure({ times: 4, tool: 'look' }, { tool: 'look', ...block }), null);
  t.equal(failure({ times: 2, tool: 'retry' }, { tool: 'retry', ...block }), null);
  t.equal(
    failure({ times: 4, tool: 'look' }, { after: '25h', tool: 'look', ...allow }),
    null,
    'a session that has expired is not joined: the name opens another',
  );
});

t.test('a result is of the action before it, and is evaluated as one', async (t) => {
  const verify = { tool: 'verify', input: { customer: 'c' } };
  const result = { input: { customer: 'c' } };
  const close = { tool: 'close', input: { customer: 'c' } };
  t.equal(failure({ ...verify, result }, { ...close, ...allow }), null);
  t.equal(failure({ ...verify, result: { ...result, status: 'FAILED' } }, { ...close, ...block }), null);
  t.equal(failure(verify, { ...close, ...block }), null, 'without a result nothing is counted');
  const secret = { dataTags: ['CREDENTIALS'], ...block };
  t.equal(failure({ tool: 'read', result: secret }), null);
  t.match(
    failure({ tool: 'read', result: { dataTags: ['CREDENTIALS'] } }),
    /^step 1, the result of read: expects nothing, so it must be let through; by secret; found BLOCK; before it: /,
  );
  t.equal(failure({ ...close, ...block, result }), 'step 1, an action that is not let through has no result');
});

t.test('prompts and inputs are scanned as the service scans them', async (t) => {
  const send = { tool: 'send', expect: { enforcementAction: 'WARN', rules: ['personal'] } };
  t.equal(failure({ prompt: 'write to ada@example.com' }, send), null);
  t.equal(failure({ tool: 'look', input: { to: 'ada@example.com' } }, send), null);
  t.equal(failure({ tool: 'look', result: { input: { to: 'ada@example.com' } } }, send), null);
  t.equal(failure({ prompt: 'write to Ada' }, { tool: 'send', ...allow }), null);
  t.equal(failure({ prompt: 'delete everything', ...block }), null);
  t.match(failure({ prompt: 'delete everything' }), /^step 1, a prompt: .*by asked; found BLOCK/);
});

t.test('a person decides what was held last, and the agent does it again', async (t) => {
  const large = { ...refund(600), ...held };
  t.equal(failure(large, { approve: true, ...allow }, large), null, 'an approval is used once');
  t.equal(failure(large, { reject: true, ...block }), null);
  t.equal(failure(large, { after: '10m', approve: true, ...allow }), null);
  t.equal(
    failure(large, { after: '16m', approve: true, ...allow }),
    'step 2, the review of what was held last expired, ended with its session or was decided',
  );
  t.equal(failure(refund(1), { approve: true }), 'step 2, nothing is held that could be APPROVED');
  t.equal(failure(large, large, { approve: true, result: {} }), null, 'held again, it is one review');
});

t.test('the clock moves as the steps say', async (t) => {
  const trade = { tool: 'trade' };
  t.equal(failure({ ...trade, ...allow }, { after: '7h', ...trade, ...block }), null, 'from noon on');
  t.equal(
    failure(
      { at: '2026-03-02T17:59:00Z', ...trade, ...allow },
      { at: '2026-03-02T18:00:00Z', ...trade, ...block },
    ),
    null,
  );
  t.equal(
    failure({ after: '1d', ...trade }, { at: '2026-01-01T13:00:00Z', ...trade }),
    'step 2, at: 2026-01-01T13:00:00Z is before the step before it',
  );
});

t.test('a session is opened with an entity and metadata, by an integration', async (t) => {
  const deploy = { tool: 'deploy', metadata: { team: 'ops' } };
  const named = { name: 'a', integration: { name: 'ci' } };
  t.strictSame(check([{ ...named, steps: [{ ...deploy, ...allow }] }]).issues, []);
  t.equal(failure({ ...deploy, ...block }), null, 'another integration');
  t.match(
    failure({ entityId: 'ann', tool: 'look' }, { entityId: 'bob', tool: 'look' }),
    /^step 2, look: its session belongs to another entity$/,
  );
});

t.test('a tool is what the catalogue of the test says', async (t) => {
  const send = { effect: 'EXTERNAL', destinations: ['to'] };
  const tools = [{ name: 'send', aliases: ['mcp__send'], ...send }];
  const rules = [
    { id: 'out', when: 'toolEffect == "EXTERNAL" && "eve" in destinations', effect: 'BLOCK' },
    { id: 'second', when: 'session.toolCounts[?"send"].orValue(0) > 0', effect: 'BLOCK' },
  ];
  const steps = [
    { tool: 'mcp__send', input: { arguments: { to: ['ann'] } } },
    { tool: 'send', input: { to: 'eve' }, expect: { ...block.expect, rules: ['out', 'second'] } },
  ];
  const tested = { schemaVersion: 1, name: 'p', rules, tests: [{ name: 'a', tools, steps }] };
  t.strictSame(checkPolicyDocument(JSON.stringify(tested), wholeCheck).issues, []);
});

t.test('sub-agents have their parent, and their tree', async (t) => {
  const rules = [
    { id: 'marks', on: ['RESULT'], when: 'tool == "fetch"', label: ['UNTRUSTED'] },
    { id: 'labelled', tool: 'send', when: '"UNTRUSTED" in session.labels', effect: 'BLOCK' },
    { id: 'known', tool: 'pay', when: '!seen(input.to).exists(s, s.phase == "RESULT")', effect: 'BLOCK' },
    { id: 'deep', tool: 'deep', when: 'session.depth == 2 && tree.actionCount == 3', effect: 'WARN' },
    { id: 'calls', tool: 'last', when: 'tree.actionCount >= 4', effect: 'BLOCK' },
  ];
  const passes = (...steps: object[]): string | null => {
    const tested = { schemaVersion: 1, name: 'p', rules, tests: [{ name: 'a', steps }] };
    const { tests, issues } = checkPolicyDocument(JSON.stringify(tested), wholeCheck);
    return tests.length === 0 ? JSON.stringify(issues) : (tests[0]?.message ?? null);
  };
  const fetch = { tool: 'fetch', result: { input: { account: 'DE-4711' } } };
  const child = { session: 'child', parent: 'main' };
  const [send, pay] = [{ tool: 'send' }, { tool: 'pay', input: { to: 'DE-4711' } }];
  t.equal(passes(fetch, { ...child, ...send, ...block }), null, 'labels of the parent apply at once');
  t.equal(passes(fetch, { ...child, ...pay, ...allow }), null, 'and so do sightings');
  const ofChild = [{ tool: 'other' }, { ...child, ...fetch }];
  t.equal(passes(...ofChild, { ...send, ...allow }, { ...pay, ...block }), null, 'those of a child do not');
  const over = { end: 'child' };
  t.equal(passes(...ofChild, over, { ...send, ...block }, { ...pay, ...allow }), null, 'until it is over');
  const third = { session: 'third', parent: 'child', tool: 'deep', expect: { enforcementAction: 'WARN' } };
  const all = [{ tool: 'other' }, { ...child, times: 2, tool: 'other' }, third, { tool: 'last', ...block }];
  t.equal(passes(...all), null, 'a tree counts together');
  const orphan = passes({ tool: 'other' }, { end: 'main' }, { ...child, tool: 'other' });
  t.equal(orphan, 'step 3, there is no ACTIVE session "main"');
});

t.test('a failure says what was found, what decided, and what the step had met', async (t) => {
  const { issues, tests } = check([
    { name: 'limits', steps: [refund(300), { tool: 'look' }, { ...refund(300), ...allow }] },
  ]);
  const message =
    'step 3, refund: expected enforcementAction ALLOW, found APPROVAL_REQUIRED; by limit; ' +
    'before it: counters.refunds = 300, session.actionCount = 2, session.toolCounts = {refund: 1, look: 1}';
  t.strictSame(tests, [{ name: 'limits', line: 1, passed: false, message }]);
  t.match(issues, [{ code: 'test_failed', path: '/tests/0/steps/2', message: `test "limits": ${message}` }]);
  t.equal(
    failure({ ...refund(1), ...block }),
    'step 1, refund: expected enforcementAction BLOCK, found ALLOW; before it: counters.refunds = 0',
  );
  t.match(
    failure({ tool: 'broken' }),
    /^step 1, broken: expects nothing, so it must be let through; by broken; .*amount/,
  );
  t.match(
    failure({ tool: 'send', dataTags: ['PII'] }, { tool: 'send', ...block }),
    /session\.dataTags = \[PII\]/,
  );
});

t.test('other policies decide as well, and their rules are named after them', async (t) => {
  const other =
    'schemaVersion: 1\nname: other\nmode: MONITOR\nrules:\n  - { id: no-looks, tool: look, when: "true", effect: BLOCK }\n';
  const find = (name: string) => (name === 'other' ? other : name === 'bad' ? 'name: 1' : null);
  const rules = { enforcementAction: 'BLOCK', rules: ['other/no-looks'] };
  const run = (names: string[]) =>
    check([{ name: 'a', with: names, steps: [{ tool: 'look', expect: rules }] }], find);
  t.strictSame(run(['other']).issues, [], 'enforced, whatever its mode');
  t.match(run(['other', 'none']).issues, [
    { path: '/tests/0/with/1', message: 'test "a": there is no policy "none"' },
  ]);
  t.match(run(['bad']).tests, [{ passed: false, message: 'the policy "bad" does not check' }]);
});

t.test('tests that take too long end', async (t) => {
  const steps = Array.from({ length: 20 }, () => ({ times: 1_000, tool: 'other' }));
  t.match(failure(...steps), /^step 1?[0-9], the steps up to it took too long$/);
});

t.test('steps use, use up and lose grants as the service does', async (t) => {
  const grant = { same: ['tool', 'input.to'], for: '1h', uses: 1 };
  const mail = (to: string) => ({ tool: 'mail', input: { to } });
  const held = { expect: { enforcementAction: 'APPROVAL_REQUIRED' } };
  const result = (...steps: object[]) => {
    const rule = { id: 'mail', tool: 'mail', when: 'true', effect: 'APPROVAL_REQUIRED', approval: { grant } };
    const policy = { schemaVersion: 1, name: 'a', rules: [rule], tests: [{ name: 'a', steps }] };
    return checkPolicyDocument(JSON.stringify(policy), wholeCheck).tests[0]?.message ?? null;
  };
  const approved = [{ ...mail('bob'), ...held }, { approve: true }];
  t.equal(result(...approved, mail('bob'), { ...mail('bob'), ...held }), null, 'one use');
  t.equal(result(...approved, { ...mail('eve'), ...held }, mail('bob')), null, 'another value');
  t.equal(result(...approved, { after: '59m', ...mail('bob') }), null);
  t.equal(result(...approved, { after: '1h', ...mail('bob'), ...held }), null, 'its time is over');
  t.equal(result(...approved, { session: 'other', ...mail('bob'), ...held }), null, 'another session');
  const rejected = [
    { ...mail('bob'), ...held },
    { reject: true, expect: { enforcementAction: 'BLOCK' } },
  ];
  const blocked = { expect: { enforcementAction: 'BLOCK', reasons: ['rejected_by_reviewer', 'mail'] } };
  t.equal(result(...rejected, { ...mail('bob'), ...blocked }), null, 'this was rejected');
  t.equal(result(...rejected, { ...mail('eve'), ...held }, { approve: true }), null, 'this was not');
  t.match(result(...approved, { ...mail('bob'), ...held }), /step 3, mail: .*found ALLOW/);
});
