import t from 'tap';
import { decide } from '../../src/policy/decide.ts';
import { checkPolicyDocument } from '../../src/policy/document/check-policy-document.ts';
import { testSubject } from '../../src/policy/document/test-subject.ts';

const head = 'schemaVersion: 1\nname: p\n';
const identity = { policyId: 'i', policyVersion: 1 };
const withRule = (when: string, more = '') =>
  `${head}rules:\n  - { id: a, when: ${JSON.stringify(when)}, effect: BLOCK }\n${more}`;
const issues = (source: string, lists?: string[]) =>
  checkPolicyDocument(source, lists ? { lists } : {}).issues.map(
    ({ path, code, message, hint }) => `${path} ${code} ${message}${hint ? ` (${hint})` : ''}`,
  );

t.test('rules read shared lists by their names, and a compiled policy has their entries', async (t) => {
  const check = checkPolicyDocument(withRule('!(input.to in lists.internal) || lists.internal.size() > 2'), {
    lists: ['internal', 'other'],
  });
  t.strictSame(check.lists, ['internal']);
  const decided = (internal: string[], to: string) => {
    const policy = check.compile?.(identity, { lists: { internal } });
    return policy && decide([policy], testSubject({ tool: 'x', input: { to } }, [])).enforcementAction;
  };
  t.equal(decided(['a.com'], 'a.com'), 'ALLOW');
  t.equal(decided(['a.com'], 'b.com'), 'BLOCK');
  t.equal(decided([], 'a.com'), 'BLOCK');
  t.equal(decided(['a.com', 'b.com', 'c.com'], 'a.com'), 'BLOCK');
  t.equal(decided(['constructor'], 'toString'), 'BLOCK');
});

t.test('a list that is missing when a rule reads it is an error, which takes onError', async (t) => {
  const policy = checkPolicyDocument(withRule('input.to in lists.internal')).compile?.(identity);
  if (!policy) throw new Error('it does not check');
  const decision = decide([policy], testSubject({ tool: 'x', input: { to: 'a' } }, []));
  t.match(decision, { enforcementAction: 'BLOCK', violations: [{ reason: 'rule_error' }] });
});

t.test('a list that does not exist is a mistake where lists are known', async (t) => {
  const source = withRule('input.to in lists.internalDomain');
  t.strictSame(issues(source), []);
  t.strictSame(issues(source, ['internalDomains']), [
    '/rules/0/when unknown_field rules[0].when @1:19: lists has no field "internalDomain" (did you mean "internalDomains"?)',
  ]);
  t.strictSame(issues(source, []), [
    '/rules/0/when unknown_field rules[0].when @1:19: lists has no field "internalDomain" (a shared list must exist before a policy reads it: create it with POST /v1/lists or assize lists create)',
  ]);
});

t.test('which lists are read is known before a rule runs', async (t) => {
  for (const when of ['lists == lists', 'lists[tool] == lists[tool]', 'has(lists.a)', 'lists.?a.hasValue()'])
    for (const known of [undefined, ['a']])
      t.ok(issues(withRule(when), known).length > 0, `${when} ${issues(withRule(when), known)}`);
  t.match(issues(withRule('size(lists) > 0')), [/misused_list .*only be read by name \(write lists.NAME\)$/]);
  t.strictSame(
    issues(withRule('["a"].exists(lists, lists == "a")')),
    [],
    'a variable of a macro is not them',
  );
  const counted = `${head}counters: { c: { over: session, where: "size(lists) > 0" } }\nrules: [{ id: a, when: counters.c > 1, effect: WARN }]\n`;
  t.match(issues(counted), [/^\/counters\/c\/where misused_list/]);
  const variable = `${head}variables: { v: "size(lists)" }\nrules: [{ id: a, when: vars.v > 1, effect: WARN }]\n`;
  t.match(issues(variable), [/^\/variables\/v misused_list/]);
});

t.test(
  'variables and counters read lists, too, and a counter keeps its values when a list changes',
  async (t) => {
    const source = `${head}variables: { inside: input.to in lists.internal }\ncounters: { c: { over: session, where: tool in lists.tools } }\nrules: [{ id: a, when: vars.inside && counters.c > 1, effect: WARN }]\n`;
    const check = checkPolicyDocument(source, { lists: ['internal', 'tools'] });
    t.strictSame(check.lists, ['internal', 'tools']);
    const compiled = (tools: string[]) => check.compile?.(identity, { lists: { internal: [], tools } });
    t.equal(compiled(['a'])?.counters[0]?.identity, compiled(['b'])?.counters[0]?.identity);
    t.ok(compiled(['wire'])?.toolNames.has('wire'), 'a session counts the tools of a list under their names');
  },
);

t.test('a test says what is in the lists; without it they are empty', async (t) => {
  const tests = (given: string, expected: string) =>
    withRule(
      '!(input.to in lists.internal)',
      `tests:\n  - { name: t, given: { tool: x, input: { to: a }${given} }, expect: { enforcementAction: ${expected} } }\n`,
    );
  t.strictSame(issues(tests('', 'BLOCK'), ['internal']), []);
  t.strictSame(issues(tests(', lists: { internal: [a] }', 'ALLOW'), ['internal']), []);
  t.match(issues(tests(', lists: { internal: a }', 'ALLOW')), [/wrong_type/]);
  const seen: unknown[] = [];
  const steps = withRule(
    'tool in lists.internal && params.on',
    'params: { on: true }\ntests:\n  - { name: t, params: { on: false }, lists: { internal: [x] }, steps: [{ tool: x, expect: { enforcementAction: BLOCK } }] }\n',
  );
  checkPolicyDocument(steps, {
    replaySteps: ({ policies: [policy] }) => {
      seen.push(policy?.lists, policy?.params);
      return null;
    },
  });
  t.strictSame(seen, [{ internal: ['x'] }, { on: false }], 'steps have them as well');
});

t.test('nothing is said about a rule because lists are not known yet', async (t) => {
  t.strictSame(
    checkPolicyDocument(withRule('tool in lists.internal && size(lists.internal) > 0')).warnings,
    [],
  );
});
