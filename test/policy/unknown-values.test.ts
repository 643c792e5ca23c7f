import t from 'tap';
import { decide } from '../../src/policy/decide.ts';
import { testSubject } from '../../src/policy/document/test-subject.ts';
import { notKept, type Subject } from '../../src/policy/subject.ts';
import type { PolicyTestGiven } from '../../src/schemas/policy-tests.ts';
import { findings, policy, rule, rules } from './policy-fixtures.ts';

const tool = {
  effect: notKept,
  untrustedResults: notKept,
  directory: notKept,
  described: notKept,
  destinations: notKept,
  identifiers: notKept,
};
const given: PolicyTestGiven = { tool: 'pay', input: { amount: 5 }, targetKey: 'db' };

/** The action of a replay: all that a record may lack is unknown, and of the input one field. */
function unknownSubject(also: Partial<Subject> = {}): Subject {
  const subject = testSubject(given, []);
  return {
    ...subject,
    input: { ...subject.input, to: notKept },
    targetKey: notKept,
    catalogued: tool,
    dataTags: notKept,
    detections: notKept,
    session: { ...subject.session, dataTags: notKept },
    repeats: notKept,
    grants: notKept,
    counters: { isReserved: () => false, read: () => notKept },
    sightings: { find: () => notKept },
    ...also,
  };
}

const counters = 'counters:\n  c: { over: session }\n';
const unevaluated = (when: string, subject = unknownSubject()) => {
  const decision = decide([policy(counters + rules(rule('a', when, 'effect: BLOCK')))], subject);
  return { ids: (decision.unevaluated ?? []).map(({ ruleId }) => ruleId), findings: findings(decision) };
};

t.test('a rule that needs an unknown value is not evaluated, and finds nothing', async (t) => {
  for (const when of [
    'input.to == "x"',
    'arguments.to == "x"',
    'has(input.to)',
    'targetKey == "x"',
    'toolEffect == "WRITE"',
    'toolUntrusted',
    'toolDirectory',
    'toolDescribed',
    '"x" in destinations',
    '"x" in identifiers',
    '"PII" in dataTags',
    'detections.size() > 0',
    '"PII" in session.dataTags',
    '"PII" in tree.dataTags',
    'session.repeats > 0',
    'session.grants.size() > 0',
    'counters.c > 0',
    'seen("x").size() == 0',
    '!(input.to == "x")',
    'input.to == "x" ? true : true',
  ])
    t.strictSame(unevaluated(when), { ids: ['a'], findings: [] }, when);
});

t.test('an unknown value that cannot change the result changes nothing', async (t) => {
  t.strictSame(unevaluated('input.to == "x" || input.amount == 5').findings, ['a BLOCK MEDIUM a']);
  t.strictSame(unevaluated('tool == "pay" || targetKey == "x"').findings, ['a BLOCK MEDIUM a']);
  t.strictSame(unevaluated('input.to == "x" && tool == "other"'), { ids: [], findings: [] });
  t.strictSame(unevaluated('[1, 5].exists(n, n == input.amount || input.to == "x")').findings, [
    'a BLOCK MEDIUM a',
  ]);
});

t.test('what is unknown goes before an error, because the known value could decide', async (t) => {
  for (const when of [
    'input.missing == 1 || input.to == "x"',
    'input.to == "x" || input.missing == 1',
    'input.missing == 1 && input.to == "x"',
    'input.to == "x" && input.missing == 1',
    '["missing", "to"].exists(key, input[key] == "x")',
    '["to", "missing"].all(key, input[key] == "x")',
  ])
    t.strictSame(unevaluated(when), { ids: ['a'], findings: [] }, when);
});

t.test('a rule that fails for another reason takes onError, whatever else is unknown', async (t) => {
  t.strictSame(unevaluated('input.missing == 1').findings, ['a BLOCK MEDIUM rule_error']);
});

t.test('arguments in two places that differ in an unknown part may be the same', async (t) => {
  const twice = (other: unknown) => ({ input: { arguments: { to: 'x' }, args: { to: other } } });
  t.strictSame(unevaluated('arguments.to == "x"', unknownSubject(twice(notKept))), {
    ids: ['a'],
    findings: [],
  });
  t.strictSame(unevaluated('arguments.to == "x"', unknownSubject(twice('y'))).findings, [
    'a BLOCK MEDIUM rule_error',
  ]);
});

t.test('a rule that matches shows its name where its message shows an unknown value', async (t) => {
  const source = rules(rule('a', 'true', 'effect: WARN, message: "to {{input.to}}", name: Named'));
  const { violations, unevaluated } = decide([policy(source)], unknownSubject());
  t.strictSame([violations.map(({ message }) => message), unevaluated], [['Named'], undefined]);
});

t.test('a counter that selects by an unknown value is not evaluated', async (t) => {
  const source = 'counters:\n  c: { over: session, where: input.to == "x" }\n';
  const decision = decide([policy(source + rules(rule('a', 'false', 'effect: BLOCK')))], unknownSubject());
  t.match(decision, { enforcementAction: 'ALLOW', counted: [], unevaluated: [{ ruleId: 'counters.c' }] });
});

t.test('a rule that needs the arguments of the action of a recorded result is not evaluated', async (t) => {
  const reads = policy(
    'rules:\n  - { id: a, on: [RESULT], when: call.arguments.to == "x", effect: BLOCK }\n',
  );
  const ids = (actionArguments: Subject['actionArguments']) => {
    const { unevaluated = [], violations } = decide(
      [reads],
      unknownSubject({ phase: 'RESULT', actionArguments }),
    );
    return [unevaluated.map(({ ruleId }) => ruleId), violations.map(({ reason }) => reason)];
  };
  t.strictSame(ids(notKept), [['a'], []]);
  t.strictSame(ids(undefined), [[], ['rule_error']], 'what nobody read is an error, and not empty');
});
