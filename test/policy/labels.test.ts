import t from 'tap';
import { replaySteps } from '../../src/features/policies/policy-tests/replay-steps.ts';
import { checkPolicyDocument } from '../../src/policy/document/check-policy-document.ts';

const document = (rule: string, more = '') => `
schemaVersion: 1
name: labels
rules:
  - { id: a, when: "true", ${rule} }
${more}`;

t.test('every mistake in a label has its place, and says what is right', async (t) => {
  const cases: [rule: string, path: string, message: RegExp][] = [
    ['severity: LOW', '/rules/0', /needs one of "effect", "escalate" and "label"/],
    ['effect: WARN, escalate: 1, label: [A]', '/rules/0', /at most one of "effect" and "escalate"/],
    ['label: A', '/rules/0/label', /expected a list, found a text|expected a list/],
    ['label: null', '/rules/0/label', /expected a list/],
    ['label: []', '/rules/0/label', /at least 1 entry/],
    ['label: [a]', '/rules/0/label/0', /has to match/],
    ['label: [7]', '/rules/0/label/0', /expected a text/],
    [`label: [${'A'.repeat(65)}]`, '/rules/0/label/0', /at most 64/],
    [`label: [${Array.from({ length: 21 }, (_, i) => `L${i}`)}]`, '/rules/0/label', /at most 20/],
    ['labels: [A]', '/rules/0/labels', /unknown key/],
  ];
  for (const [rule, path, message] of cases) {
    const { issues } = checkPolicyDocument(document(rule));
    const found = issues.find((issue) => issue.path === path);
    t.ok(found, `${rule}: ${JSON.stringify(issues)}`);
    t.match(found?.message, message);
    t.ok((found?.line ?? 0) >= 5);
  }
});

t.test(
  'a rule may label alone, beside an effect and beside an escalation; a test expects labels',
  async (t) => {
    const tests = (expected: string) => `tests:
  - name: n
    given: { session: { labels: [OLD] } }
    expect: { enforcementAction: WARN, labels: ${expected} }
`;
    const rules = `
  - { id: b, when: '"OLD" in session.labels', effect: WARN, label: [B, B] }
  - { id: c, when: "true", escalate: 1, label: [C] }
`;
    t.strictSame(checkPolicyDocument(document('label: [A]', `${rules}${tests('[C, B, A]')}`)).issues, []);
    const [issue] = checkPolicyDocument(document('label: [A]', `${rules}${tests('[A]')}`)).issues;
    t.match(issue?.message, /expected labels \[A\], found \[A, B, C\]/);
  },
);

t.test('a rule with the condition of another one is of use when it labels', async (t) => {
  const two = (first: string, second: string) =>
    checkPolicyDocument(`
schemaVersion: 1
name: two
rules:
  - { id: a, when: tool == "x", effect: WARN${first} }
  - { id: b, when: tool == "x", effect: WARN${second} }
`).warnings.map(({ code }) => code);
  t.strictSame(two('', ''), ['shadowed']);
  t.strictSame(two('', ', label: [A]'), []);
  t.strictSame(two(', label: [A]', ', label: [A]'), ['shadowed']);
});

t.test('steps carry labels from one to the next', async (t) => {
  const { issues } = checkPolicyDocument(
    document(
      'label: [A]',
      `tests:
  - name: labels
    steps:
      - { tool: x, expect: { enforcementAction: ALLOW, labels: [A] } }
      - { tool: y, expect: { enforcementAction: ALLOW, labels: [B] } }
`,
    ),
    { replaySteps },
  );
  t.match(issues, [{ path: '/tests/0/steps/1' }]);
  t.match(issues[0]?.message, /session\.labels = \[A\]/);
});
