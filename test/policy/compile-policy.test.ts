import t from 'tap';
import { compilePolicy } from '../../src/policy/compile-policy.ts';
import type { PolicyDocument } from '../../src/schemas/policy-documents.ts';
import { policy } from './policy-fixtures.ts';

t.test('says what its rules can read, so that a caller loads nothing else', async (t) => {
  const reads = (body: string) => [...policy(body).reads].sort();
  const rule = (when: string, more = '') =>
    `rules: [{ id: a, when: ${JSON.stringify(when)}, effect: WARN${more} }]`;
  t.strictSame(reads(rule('tool == "x"')), ['tool']);
  t.strictSame(reads(rule('"PII" in session.dataTags && session.warningCount > 1')), [
    'session.dataTags',
    'session.warningCount',
  ]);
  t.strictSame(reads(rule('session.recentActions.exists(a, a.tool == tool)')), [
    'session.recentActions',
    'tool',
  ]);
  t.strictSame(reads(rule('"true" == "x" || params.n == 1').replace('rules', 'params: { n: 1 }\nrules')), []);
  t.strictSame(reads(rule('tool == "x"', ', message: "{{session.blockCount}}"')), [
    'session.blockCount',
    'tool',
  ]);
  t.strictSame(
    reads(
      `variables: { v: vars.w > 1, w: session.actionCount, unused: session.metadata }\n${rule('vars.v')}`,
    ),
    ['session.actionCount'],
    'through variables, and not through those no rule reaches',
  );
  const whole = '[session].exists(s, s.actionCount > 3)';
  t.equal(reads(rule(whole)).length, 19, 'a session taken as a whole is all of its fields');
  t.strictSame(
    reads(`variables: { a: session.blockCount, b: tool }\n${rule('[vars].exists(v, v.a > 3)')}`),
    ['session.blockCount', 'tool'],
    'so are variables',
  );
});

t.test('says whether anything that it finds can hold an action', async (t) => {
  const canHold = (head: string, effect = 'effect: WARN') =>
    policy(`${head}rules: [{ id: a, when: 'tool == "x"', ${effect} }]`).canHold;
  t.notOk(canHold(''));
  t.notOk(canHold('severityFloors: { HIGH: BLOCK }\n', 'escalate: 1'));
  t.ok(canHold('', 'effect: APPROVAL_REQUIRED'));
  t.ok(canHold('onError: APPROVAL_REQUIRED\n'));
  t.ok(canHold('severityFloors: { HIGH: APPROVAL_REQUIRED }\n'));
  t.ok(canHold('mode: ENFORCE\n', 'effect: APPROVAL_REQUIRED'));
  t.notOk(canHold('mode: MONITOR\n', 'effect: APPROVAL_REQUIRED'), 'what is only recorded holds nothing');
});

t.test('carries its detectors, review life and identity', async (t) => {
  const compiled = policy(
    'reviewExpirySeconds: 60\ndetectors: [{ tag: A, category: B, pattern: x }]\nrules: [{ id: a, when: tool == "x", effect: WARN }]',
    'n',
    3,
  );
  t.match(compiled, {
    policyId: 'id-n',
    policyName: 'n',
    policyVersion: 3,
    mode: 'ENFORCE',
    reviewExpirySeconds: 60,
    detectors: [{ tag: 'A', category: 'B', pattern: 'x' }],
  });
  const plain = policy('rules: [{ id: a, when: tool == "x", effect: WARN }]');
  t.match(plain, { reviewExpirySeconds: 900, detectors: [] });
});

t.test('refuses a document that never passed the check', async (t) => {
  const document: PolicyDocument = {
    schemaVersion: 1,
    name: 'p',
    rules: [{ id: 'a', when: 'tol == "x"', effect: 'WARN' }],
  };
  t.throws(
    () => compilePolicy(document, { policyId: 'i', policyVersion: 1 }),
    /never passed its check: rules\.0\.when/,
  );
});
