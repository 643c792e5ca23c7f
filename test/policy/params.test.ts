import t from 'tap';
import { decide } from '../../src/policy/decide.ts';
import { checkPolicyDocument } from '../../src/policy/document/check-policy-document.ts';
import { testSubject } from '../../src/policy/document/test-subject.ts';

const head = 'schemaVersion: 1\nname: p\n';
const identity = { policyId: 'i', policyVersion: 1 };
const withRule = (params: string, when: string) =>
  `${head}params: ${params}\nrules:\n  - { id: a, when: ${JSON.stringify(when)}, effect: BLOCK, message: ${JSON.stringify('x')} }\n`;
const issues = (source: string, params?: Record<string, unknown>) =>
  checkPolicyDocument(source, params ? { params } : {}).issues.map(
    ({ path, code, message }) => `${path} ${code} ${message}`,
  );
const decided = (source: string, params: Record<string, unknown>, input: object) => {
  const check = checkPolicyDocument(source, { params });
  const policy = check.compile?.(identity);
  if (!policy) throw new Error(JSON.stringify(check.issues));
  return decide([policy], testSubject({ tool: 'x', input: input as Record<string, unknown> }, []))
    .enforcementAction;
};

t.test('a binding replaces the values of params, and leaves the others as they are', async (t) => {
  const source = withRule(
    '{ most: { type: int, default: 10 }, words: [a], on: true }',
    'params.on && (input.n > params.most || input.w in params.words)',
  );
  t.equal(decided(source, {}, { n: 11, w: '' }), 'BLOCK');
  t.equal(decided(source, { most: 20 }, { n: 11, w: '' }), 'ALLOW');
  t.equal(decided(source, { most: 20 }, { n: 11, w: 'a' }), 'BLOCK');
  t.equal(decided(source, { words: [] }, { n: 1, w: 'a' }), 'ALLOW');
  t.equal(decided(source, { on: false }, { n: 100, w: 'a' }), 'ALLOW');
});

t.test('a param is typed by its declaration, or by its value', async (t) => {
  for (const params of ['{ n: { type: int } }', '{ n: 1 }'])
    t.match(issues(withRule(params, 'params.n == "x"')), [/^\/rules\/0\/when /], params);
  for (const type of ['bool', 'int', 'number', 'string', 'list(int)', 'list(number)', 'list(string)'])
    t.strictSame(issues(withRule(`{ n: { type: "${type}" } }`, 'params.n == params.n')), [], type);
  t.strictSame(issues(withRule('{ n: { type: number } }', 'params.n + 0.5 > input.x')), []);
});

t.test('a declaration that cannot be is refused where it stands', async (t) => {
  const cases: [string, string][] = [
    ['{ n: { type: integer } }', '/params/n/type'],
    ['{ n: { type: 12 } }', '/params/n/type'],
    ['{ n: { type: int, default: 1.5 } }', '/params/n/default'],
    ['{ n: { type: int, default: "1" } }', '/params/n/default'],
    ['{ n: { type: int, default: null } }', '/params/n/default'],
    ['{ n: { type: bool, default: 1 } }', '/params/n/default'],
    ['{ n: { type: string, default: [] } }', '/params/n/default'],
    ['{ n: { type: number, default: x } }', '/params/n/default'],
    ['{ n: { type: "list(string)", default: [a, 1] } }', '/params/n/default'],
    ['{ n: { type: "list(int)", default: 1 } }', '/params/n/default'],
    ['{ n: { type: "list(number)", default: [x] } }', '/params/n/default'],
    ['{ n: { type: int, default: 11, maximum: 10 } }', '/params/n/default'],
    ['{ n: { type: "list(int)", default: [5, 1], minimum: 2 } }', '/params/n/default'],
    ['{ n: { type: string, minimum: 2 } }', '/params/n/minimum'],
    ['{ n: { type: int, maximum: "2" } }', '/params/n/maximum'],
    ['{ n: { type: int, description: 1 } }', '/params/n/description'],
  ];
  for (const [params, path] of cases) {
    const found = issues(withRule(params, 'params.n == params.n'));
    t.match(found, [new RegExp(`^${path} bad_param params\\.n`)], params);
    t.equal(found.length, 1, params);
  }
});

t.test('a map with other keys is a value, even when one of them is type', async (t) => {
  const source = withRule('{ n: { type: x, other: 1 } }', 'params.n.type == input.kind');
  t.equal(decided(source, {}, { kind: 'x' }), 'BLOCK');
  t.equal(decided(source, { n: { type: 'y', other: 2 } }, { kind: 'x' }), 'ALLOW');
});

t.test('a binding is refused what a param cannot be', async (t) => {
  const source = withRule(
    '{ n: { type: int, minimum: 1, maximum: 10, default: 5 }, d: 0.5, s: a, l: [a], m: { a: 1 }, z: null, b: true }',
    'true',
  );
  const cases: [string, unknown, string | null][] = [
    ['n', 10, null],
    ['n', 0, 'has to be at least 1'],
    ['n', 11, 'has to be at most 10'],
    ['n', 1.5, 'expected int'],
    ['n', '5', 'expected int'],
    ['n', null, 'expected int'],
    ['n', 5n, null],
    ['d', 2, null],
    ['d', '2', 'expected double'],
    ['s', 'b', null],
    ['s', 1, 'expected string'],
    ['b', false, null],
    ['b', 0, 'expected bool'],
    ['l', [], null],
    ['l', ['b', 'c'], null],
    ['l', [1], 'expected list(string)'],
    ['l', 'a', 'expected list(string)'],
    ['m', { a: 2 }, null],
    ['m', { a: 'x' }, 'expected a map with a'],
    ['m', { b: 1 }, 'expected a map with a'],
    ['m', { a: 1, b: 1 }, 'expected a map with a'],
    ['m', [], 'expected a map with a'],
    ['z', null, null],
    ['z', 1, 'expected null'],
    ['typo', 1, 'the policy has no such param; it has n, d, s, l, m, z, b'],
    ['constructor', 1, 'the policy has no such param; it has n, d, s, l, m, z, b'],
  ];
  for (const [name, value, message] of cases) {
    const expected = message === null ? [] : [`/params/${name} bad_param params.${name}: ${message}`];
    t.strictSame(issues(source, { [name]: value }), expected, `${name} ${typeof value}`);
  }
  t.strictSame(issues(`${head}rules: [{ id: a, when: "true", effect: WARN }]\n`, { x: 1 }), [
    '/params/x bad_param params.x: the policy has no such param',
  ]);
});

t.test('a param without a default needs a value from each binding', async (t) => {
  const source = withRule('{ n: { type: int } }', 'input.x > params.n');
  t.equal(checkPolicyDocument(source).valid, true);
  t.strictSame(issues(source, {}), [
    '/params/n bad_param params.n: has no default: give it a value of type int',
  ]);
  t.equal(decided(source, { n: 1 }, { x: 2 }), 'BLOCK');
  const policy = checkPolicyDocument(source).compile?.(identity);
  if (!policy) throw new Error('it does not check');
  const decision = decide([policy], testSubject({ tool: 'x', input: { x: 0 } }, []));
  t.match(
    decision,
    { enforcementAction: 'BLOCK', violations: [{ reason: 'rule_error' }] },
    'never let through',
  );
  t.strictSame(checkPolicyDocument(source.replace('input.x', 'size(input)')).warnings, []);
});

t.test('what a binding gives is checked with the rules that use it', async (t) => {
  const source = withRule('{ pattern: "^a" }', 'input.x.matches(params.pattern)');
  t.equal(decided(source, { pattern: '^b' }, { x: 'b' }), 'BLOCK');
  t.match(issues(source, { pattern: '(' }), [/^\/rules\/0\/when regex_invalid/]);
  const required = withRule('{ pattern: { type: string } }', 'input.x.matches(params.pattern)');
  t.match(issues(required), [/^\/rules\/0\/when regex_not_literal/]);
});

t.test('a counter that reads a param is another one under another value', async (t) => {
  const source = `${head}params: { least: 5 }\ncounters: { c: { over: session, where: input.n > params.least } }\nrules: [{ id: a, when: counters.c > 1, effect: WARN }]\n`;
  const of = (params: object) =>
    checkPolicyDocument(source, { params: { ...params } }).compile?.(identity)?.counters[0]?.identity;
  t.equal(of({}), of({ least: 5 }));
  t.not(of({}), of({ least: 6 }));
});

t.test('a mode given at compilation replaces that of the document', async (t) => {
  const source = withRule('{}', 'true').replace('effect: BLOCK', 'effect: APPROVAL_REQUIRED');
  const { compile } = checkPolicyDocument(source);
  t.match(compile?.(identity), { mode: 'ENFORCE', canHold: true });
  t.match(compile?.(identity, { mode: 'MONITOR' }), { mode: 'MONITOR', canHold: false });
});

const tested = (given: string, expected: string) =>
  `${withRule('{ most: 10, pattern: "^a" }', 'input.n > params.most || input.s.matches(params.pattern)')}tests:\n  - { name: t, given: { tool: x, input: { n: 15, s: b }, ${given} }, expect: { enforcementAction: ${expected} } }\n`;

t.test('a test may say which params it runs with', async (t) => {
  t.strictSame(issues(tested('', 'BLOCK')), []);
  t.strictSame(issues(tested('params: { most: 20 }', 'ALLOW')), []);
  t.strictSame(issues(tested('params: { most: 20, pattern: "^b" }', 'BLOCK')), []);
  t.match(issues(tested('params: { mots: 20 }', 'ALLOW')), [
    /^\/tests\/0 test_failed test "t": params.mots: the policy has no such param/,
  ]);
  t.match(issues(tested('params: { pattern: "(" }', 'ALLOW')), [
    /^\/tests\/0 test_failed test "t": rules\[0\].when: /,
  ]);
});

t.test('a list of mixed values takes any', async (t) => {
  const source = withRule('{ mixed: [a, 1, true] }', 'input.w in params.mixed');
  t.equal(decided(source, {}, { w: 'a' }), 'BLOCK');
  t.equal(decided(source, { mixed: ['b', 2] }, { w: 'a' }), 'ALLOW');
  t.equal(decided(source, { mixed: ['b', 2] }, { w: 2 }), 'BLOCK');
});
