import { readFileSync } from 'node:fs';
import t from 'tap';
import { checkPolicyDocument } from '../../../src/policy/document/check-policy-document.ts';
import { testSubject } from '../../../src/policy/document/test-subject.ts';
import { type Comparison, compareVersions } from '../../../src/policy/proof/compare.ts';
import { type ProvedPolicy, provedPolicy } from '../../../src/policy/proof/decision-model.ts';
import { fails, type PropertyResult, proveProperty } from '../../../src/policy/proof/property.ts';
import { proveByIntervals } from '../../../src/policy/proof/question.ts';
import { decideWitness } from '../../../src/policy/proof/witness.ts';
import { Random } from '../../cel/fuzz/random.ts';
import { condition, head, leaves, subjects } from './small-worlds.ts';

const read = (body: string): ProvedPolicy => {
  const proved = provedPolicy(`schemaVersion: 1\nname: p\n${body}`);
  if (typeof proved === 'string') throw new Error(proved);
  return proved;
};
const steps = 400_000;
const proved = (policy: ProvedPolicy, index = 0): PropertyResult =>
  proveByIntervals(proveProperty(policy, index), { left: steps }, steps);
const compared = (before: string, after: string): Comparison =>
  proveByIntervals(compareVersions([read(before)], [read(after)]), { left: 2 * steps }, steps);

const rule = (id: string, when: string, does = 'effect: BLOCK'): string =>
  `  - { id: ${id}, when: ${JSON.stringify(when)}, ${does} }\n`;
const property = (holds: string, more = ''): string =>
  `properties:\n  - { name: q, holds: ${JSON.stringify(holds)}${more} }\n`;
const when = (text: string): string => `, when: ${JSON.stringify(text)}`;
const blocked = 'decision.enforcementAction == "BLOCK"';

t.test('a property is proved, violated by an action that the engine confirms, or unknown', async (t) => {
  const cases: [verdict: PropertyResult['verdict'], rules: string, property: string][] = [
    ['PROVED', rule('a', 'session.warningCount >= 3'), property(blocked, when('session.warningCount > 4'))],
    ['VIOLATED', rule('a', 'session.warningCount > 3'), property(blocked, when('session.warningCount >= 3'))],
    // A rule that fails takes onError.
    ['PROVED', rule('a', 'input.amount > 10'), property(blocked, when('!has(input.amount)'))],
    ['VIOLATED', rule('a', 'input.?amount.orValue(0) > 10'), property(blocked, when('!has(input.amount)'))],
    // Escalation and floors, together.
    [
      'PROVED',
      rule('a', 'tool == "x"', 'effect: WARN, severity: MEDIUM') +
        rule('b', '"PII" in dataTags', 'escalate: 2'),
      `severityFloors: { CRITICAL: BLOCK }\n${property(blocked, when('tool == "x" && "PII" in dataTags'))}`,
    ],
    [
      'VIOLATED',
      rule('a', 'tool == "x"', 'effect: WARN, severity: LOW') + rule('b', '"PII" in dataTags', 'escalate: 2'),
      `severityFloors: { CRITICAL: BLOCK }\n${property(blocked, when('tool == "x" && "PII" in dataTags'))}`,
    ],
    // A held result is withheld.
    [
      'PROVED',
      '  - { id: a, on: [RESULT], when: "true", effect: APPROVAL_REQUIRED }\n',
      property(blocked, ', on: [RESULT]'),
    ],
    // A counter that cannot count takes onError.
    [
      'PROVED',
      rule('a', 'tool == "never"'),
      `counters: { c: { over: session, where: 'tool == "pay"', add: input.amount } }\n${property(blocked, when('tool == "pay" && input.?amount.orValue(-1) == -1'))}`,
    ],
    [
      'PROVED',
      rule('a', 'commands(tool).exists(c, c.program == "rm")'),
      property(blocked, when('commands(tool).exists(c, c.program == "rm")')),
    ],
    [
      'UNKNOWN',
      rule('a', 'commands(tool).exists(c, c.program == "rm")'),
      property(blocked, when('tool == "rm"')),
    ],
    ['PROVED', rule('a', 'tool in lists.blocked'), property(blocked, when('tool in lists.blocked'))],
    ['VIOLATED', rule('x', 'tool == "x"'), property('!(tool in decision.rules)')],
    ['VIOLATED', rule('x', 'tool == "x"'), property('!("x" in decision.rules)')],
    ['VIOLATED', rule('a', 'tool == "x"'), property(blocked, when('isList(input.x)'))],
    // Who acts is the first of the actors.
    ['VIOLATED', rule('a', 'tool == "x"'), property(blocked, when('identity.actor == "bot"'))],
    // Arguments that cannot be read.
    [
      'VIOLATED',
      rule('a', 'size(destinations) >= 0'),
      `onError: WARN\n${property(blocked, when('toolEffect == "WRITE"'))}`,
    ],
    // Sessions, by induction.
    [
      'PROVED',
      rule('a', 'tool == "pay" && session.toolCounts[?"pay"].orValue(0) >= 3'),
      property('session.toolCounts[?"pay"].orValue(0) <= 3'),
    ],
    [
      'PROVED',
      rule('a', '"A" in session.labels && tool == "send"') + rule('b', 'tool == "send"', 'label: [A]'),
      property(
        '!("A" in session.labels) || session.toolCounts[?"send"].orValue(0) <= 1 || session.actionCount > 0',
      ),
    ],
    // Tools beyond the most names count under one.
    ['UNKNOWN', rule('a', 'tool == "(other)"'), property('session.toolCounts[?"(other)"].orValue(0) == 0')],
    // A sub-agent has the labels of its parent before its first action.
    [
      'UNKNOWN',
      rule('a', 'tool == "send"', 'label: [A]'),
      property('!("A" in session.labels) || session.actionCount >= 1'),
    ],
    ['PROVED', rule('a', 'tool == "send"', 'label: [A]'), property('!("B" in session.labels)')],
    ['UNKNOWN', rule('a', 'session.actionCount >= 3'), property('session.warningCount <= 2')],
    ['UNKNOWN', rule('a', 'tool == "x"'), property('session.toolCounts.size() <= 2')],
    ['VIOLATED', rule('a', 'tool == "x"'), property('session.actionCount > 0')],
    ['UNKNOWN', rule('a', 'tool == "x"'), property('session.repeats < 5')],
  ];
  for (const [verdict, rules, rest] of cases) {
    const policy = read(`rules:\n${rules}${rest}`);
    const found = proved(policy);
    t.equal(found.verdict, verdict, `${rules}${rest}${JSON.stringify(found)}`);
  }
});

t.test('a search that takes too many steps says so', async (t) => {
  const rules = rule('a', 'session.warningCount >= 3');
  const policy = read(`rules:\n${rules}${property(blocked, when('session.warningCount > 4'))}`);
  for (const search of [
    proveByIntervals(proveProperty(policy, 0), { left: 1 }, 1),
    proveByIntervals(proveProperty(policy, 0, { left: { nodes: 1 } }), { left: steps }, steps),
  ])
    t.strictSame(search, { verdict: 'UNKNOWN', notModelled: [] });
  const [before, after] = [read(`rules:\n${rules}`), read(`rules:\n${rule('a', 'tool == "x"')}`)];
  t.match(proveByIntervals(compareVersions([before], [after]), { left: 1 }, 1), { verdict: 'UNKNOWN' });
  const runs = (program: string): string =>
    `rules:\n${rule('a', `commands(tool).exists(c, c.program == "${program}")`)}`;
  t.match(compared(runs('a'), runs('b')), { verdict: 'UNKNOWN', notModelled: [/commands/, /commands/] });
});

t.test('a violation is as small as it can be, and can be pasted into a test', async (t) => {
  const body = `rules:\n${rule('a', 'session.warningCount > 3 || input.?x.orValue(0) > 5')}${property(blocked, when('session.warningCount >= 3'))}`;
  const found = proved(read(body));
  t.match(found, { verdict: 'VIOLATED', decision: { enforcementAction: 'ALLOW' } });
  const { witness } = found as Extract<PropertyResult, { verdict: 'VIOLATED' }>;
  t.same(witness, { session: { warningCount: 3 } });
  const test = `tests:\n  - { name: t, given: ${JSON.stringify(witness)}, expect: { enforcementAction: ALLOW } }\n`;
  t.same(checkPolicyDocument(`schemaVersion: 1\nname: p\n${body}${test}`).issues, []);
});

t.test('a save says which property does not hold, and refuses one that cannot be read', async (t) => {
  const check = (rest: string) =>
    checkPolicyDocument(`schemaVersion: 1\nname: p\nrules:\n${rule('a', 'session.warningCount > 3')}${rest}`);
  const { warnings, valid } = check(property(blocked, when('session.warningCount >= 3')));
  t.ok(valid);
  t.match(warnings, [
    {
      code: 'property_violated',
      message: 'properties[0]: "q" does not hold: ALLOW for {"session":{"warningCount":3}}',
      line: 6,
    },
  ]);
  t.match(check(property('decision.enforcement == "BLOCK"')).issues, [
    { path: '/properties/0/holds', message: /decision has no field "enforcement"/ },
  ]);
  t.match(check('properties:\n  - { name: q, holds: "1" }\n').issues, [{ path: '/properties/0/holds' }]);
  t.match(check('properties:\n  - { name: q }\n').issues, [{ message: /missing/ }]);
});

t.test(
  'a version is stricter, laxer or as strict as the one before, with the action that shows it',
  async (t) => {
    const limit = (most: number, effect = 'BLOCK') =>
      `rules:\n${rule('a', `tool == "pay" && session.actionCount > ${most}`, `effect: ${effect}`)}`;
    const cases: [Comparison['verdict'], string, string][] = [
      ['EQUAL', limit(5), `rules:\n${rule('b', '!(tool != "pay" || session.actionCount <= 5)')}`],
      ['STRICTER', limit(5), limit(4)],
      ['LAXER', limit(5), limit(5, 'WARN')],
      ['LAXER', limit(5), limit(6)],
      ['MIXED', limit(5), limit(4, 'WARN')],
      ['STRICTER', `rules:\n${rule('a', 'input.?x.orValue(1) > 2')}`, `rules:\n${rule('a', 'input.x > 2')}`],
      [
        'EQUAL',
        `params: { n: 3 }\nrules:\n${rule('a', 'input.x > params.n')}`,
        `rules:\n${rule('a', 'input.x > 3')}`,
      ],
      [
        'EQUAL',
        `rules:\n${rule('a', 'tool == "a"')}${rule('b', 'seen(tool).size() > 3')}`,
        `rules:\n${rule('b', 'seen(tool).size() > 3')}${rule('a', 'tool == "a"')}`,
      ],
    ];
    for (const [verdict, before, after] of cases) {
      const found = compared(before, after);
      t.equal(found.verdict, verdict, `${before}${after}${JSON.stringify(found)}`);
    }
    t.match(compared(limit(5), limit(4)).stricter, {
      witness: { tool: 'pay', session: { actionCount: 5 } },
      before: 'ALLOW',
      after: 'BLOCK',
    });
  },
);

const seed = Number(process.env.PROOF_SEED ?? 1);
const runs = Number(process.env.PROOF_CASES ?? 120);

t.test(`no property is proved that a subject of a small world violates (PROOF_SEED=${seed})`, async (t) => {
  const random = new Random(seed + 2);
  const all = subjects(random);
  const found = { PROVED: 0, VIOLATED: 0, UNKNOWN: 0, PROVER_ERROR: 0 };
  for (let index = 0; index < runs; index++) {
    const few = [random.pick(leaves), random.pick(leaves)];
    const does = random.pick([
      'effect: WARN',
      'effect: BLOCK',
      'effect: WARN, severity: HIGH',
      'escalate: 1',
    ]);
    const action = random.pick(['"BLOCK"', '"WARN"', '"ALLOW"']);
    const policy = read(
      `${head}onError: ${random.pick(['BLOCK', 'WARN'])}\nseverityFloors: { CRITICAL: APPROVAL_REQUIRED }\nrules:\n${rule('a', condition(random, 2, few), does)}${rule('b', condition(random, 2, few), 'effect: APPROVAL_REQUIRED')}${property(
        `decision.enforcementAction ${random.pick(['==', '!='])} ${action}`,
        when(condition(random, 2, few)),
      )}`,
    );
    const result = proved(policy);
    found[result.verdict] += 1;
    if (result.verdict === 'PROVER_ERROR')
      t.fail(`${JSON.stringify(policy.document)}: ${JSON.stringify(result)}`);
    if (result.verdict !== 'PROVED') continue;
    const checked = policy.expressions.properties[0];
    for (const given of all) {
      if ((given.phase ?? 'ACTION') !== 'ACTION' || !checked) continue;
      const { decision } = decideWitness([policy], given);
      if (fails(policy, checked, testSubject(given, []), { decision }))
        t.fail(`proved although violated: ${JSON.stringify(policy.document)}: ${JSON.stringify(given)}`);
    }
  }
  t.comment(JSON.stringify(found));
  t.ok(found.PROVED > 5 && found.VIOLATED > 5, JSON.stringify(found));
});

t.test('the properties of the starters and packs are proved', async (t) => {
  for (const file of ['runaway-agents', 'pii-data-flow', 'packs/spending-limits', 'packs/deployments']) {
    const policy = provedPolicy(readFileSync(`policies/${file}.yaml`, 'utf8'));
    if (typeof policy === 'string') throw new Error(policy);
    const { properties = [] } = policy.document;
    t.ok(properties.length > 0);
    for (const [index, { name }] of properties.entries())
      t.equal(proved(policy, index).verdict, 'PROVED', name);
  }
});
