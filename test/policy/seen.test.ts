import t from 'tap';
import { replaySteps } from '../../src/features/policies/policy-tests/replay-steps.ts';
import { checkPolicyDocument } from '../../src/policy/document/check-policy-document.ts';
import { decideFor, findings, policy } from './policy-fixtures.ts';

const documentOf = (when: string, more = '') => `
schemaVersion: 1
name: p
rules:
  - id: unseen
    when: ${JSON.stringify(when)}
    effect: APPROVAL_REQUIRED
${more}`;

const body = (when: string) => documentOf(when).replace('\nschemaVersion: 1\nname: p\n', '');
const trusted = '!seen(input.to).exists(s, s.phase == "PROMPT" || s.whole && !("UNTRUSTED" in s.labels))';

t.test('a rule asks where a value was seen, in the form of identifiers', async (t) => {
  const p = policy(body(trusted));
  t.ok(p.reads.has('seen'));
  const held = (seen: object, to: unknown = 'ann@example.com') =>
    findings(decideFor([p], { input: { to }, seen } as never)).length > 0;
  t.equal(held({}), true);
  t.equal(held({ 'Ann@Example.com': [{ phase: 'PROMPT', whole: false }] }), false);
  t.equal(held({ 'ann@example.com': [{ whole: false }] }), true);
  t.equal(held({ 'ann@example.com': [{}] }), false);
  t.equal(held({ 'ann@example.com': [{ labels: ['UNTRUSTED'] }] }), true);
  t.equal(held({ '4711': [{}] }, 4711), false);
  t.equal(held({}, 'x'.repeat(200)), true, 'what is too long was never seen');
});

t.test('a value that cannot be looked up is an error of the rule, so onError decides', async (t) => {
  const p = policy(body('size(seen(input.to)) > 0'));
  for (const to of [['a'], { a: 1 }, null, true]) {
    t.strictSame(findings(decideFor([p], { input: { to } })), ['unseen BLOCK MEDIUM rule_error']);
  }
});

t.test('seen is typed, and every mistake has its place', async (t) => {
  const issues = (when: string, more = '') => checkPolicyDocument(documentOf(when, more)).issues;
  t.match(issues('seen(tool).exists(s, s.phas == "PROMPT")'), [{ path: '/rules/0/when', hint: /phase/ }]);
  t.match(issues('seen(tool)'), [{ path: '/rules/0/when' }]);
  t.match(issues('seen() == []'), [{ path: '/rules/0/when', message: /seen/ }]);
  t.match(issues('tool.seen() == []'), [{ path: '/rules/0/when', hint: /seen\(value\)/ }]);
  const given = (seen: string) => `tests:
  - name: n
    given: { seen: ${seen} }
    expect: { enforcementAction: ALLOW }
`;
  const cases: [seen: string, path: string][] = [
    ['[]', '/tests/0/given/seen'],
    ['{ a: {} }', '/tests/0/given/seen/a'],
    ['{ a: [{ phase: RESULTS }] }', '/tests/0/given/seen/a/0/phase'],
    ['{ a: [{ whole: "yes" }] }', '/tests/0/given/seen/a/0/whole'],
    ['{ a: [{ label: [] }] }', '/tests/0/given/seen/a/0/label'],
    ['{ a: [{}, {}, {}, {}, {}, {}] }', '/tests/0/given/seen/a'],
  ];
  for (const [seen, path] of cases) t.match(issues('size(seen(tool)) > 1', given(seen)), [{ path }], seen);
  t.strictSame(
    issues(
      'size(seen("x y")) > 1',
      given('{ X y: [{}, { whole: false }] }').replace('ALLOW', 'APPROVAL_REQUIRED'),
    ),
    [],
  );
});

t.test('a phase that there is not is warned about', async (t) => {
  const { warnings } = checkPolicyDocument(documentOf('seen(tool).exists(s, s.phase == "PROMTP")'));
  t.match(warnings, [{ path: '/rules/0/when', hint: /PROMPT/ }]);
});

t.test('a condition with seen is not taken for one that never changes', async (t) => {
  t.strictSame(checkPolicyDocument(documentOf('size(seen("ann@example.com")) == 0')).warnings, []);
});

t.test('steps of a test see what the steps before them showed', async (t) => {
  const steps = (pay: string) => `tests:
  - name: recipients
    steps:
      - { prompt: "please pay Ann's bill, ann@example.com" }
      - { tool: read, result: { input: { text: "${'words '.repeat(30)} eve@example.com" } } }
      - { tool: pay, input: { to: ${pay} }, expect: { enforcementAction: ALLOW } }
`;
  const rule = `tool == "pay" && ${trusted}`;
  const issues = (pay: string) => checkPolicyDocument(documentOf(rule, steps(pay)), { replaySteps }).issues;
  t.strictSame(issues('ANN@example.com'), []);
  t.match(issues('eve@example.com'), [{ path: '/tests/0/steps/2', message: /by unseen/ }]);
});
