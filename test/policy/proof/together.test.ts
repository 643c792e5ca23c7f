import t from 'tap';
import { readDocument } from '../../../src/policy/document/read-document.ts';
import { type Comparison, compareVersions } from '../../../src/policy/proof/compare.ts';
import { type ProvedPolicy, provedPolicy } from '../../../src/policy/proof/decision-model.ts';
import { ruleWarnings } from '../../../src/policy/proof/findings.ts';
import { type PropertyResult, proveProperty } from '../../../src/policy/proof/property.ts';
import { proveByIntervals } from '../../../src/policy/proof/question.ts';
import { outweighedRules } from '../../../src/policy/proof/together.ts';
import { decideWitness } from '../../../src/policy/proof/witness.ts';
import { Random } from '../../cel/fuzz/random.ts';
import { condition, head, leaves, subjects } from './small-worlds.ts';

const steps = 400_000;
const textOf = (name: string, body: string): string => `schemaVersion: 1\nname: ${name}\n${body}`;
const read = (name: string, body: string): ProvedPolicy => {
  const proved = provedPolicy(textOf(name, body));
  if (typeof proved === 'string') throw new Error(proved);
  return proved;
};
const rule = (id: string, when: string, does = 'effect: BLOCK'): string =>
  `  - { id: ${id}, when: ${JSON.stringify(when)}, ${does} }\n`;
const rules = (...all: string[]): string => `rules:\n${all.join('')}`;

/** What is said of the rules of the first of some policies, beside the others. */
function outweighed(bodies: readonly string[], index = 0): string[] {
  const policies = bodies.map((body, place) => read(`p${place}`, body));
  const { report } = readDocument(textOf(`p${index}`, bodies[index] as string));
  const found = proveByIntervals(outweighedRules(policies, index, report), { left: steps }, steps);
  return found.map(({ message }) => message);
}

t.test('a rule is named that other policies always decide more strictly', async (t) => {
  const a = 'tool == "a"';
  const stricter = 'rules[0]: never decides: the rule "b" of the policy "p1" is stricter whenever it matches';
  const cases: [expected: string[], ...bodies: string[]][] = [
    [[stricter], rules(rule('w', a, 'effect: WARN')), rules(rule('b', 'tool in ["a", "b"]'))],
    [[], rules(rule('w', 'tool != "b"', 'effect: WARN')), rules(rule('b', a))],
    // As strict is not stricter: the earlier of two rules that are alike stays.
    [[], rules(rule('x', a)), rules(rule('b', a))],
    // Two rules of one policy, and several policies together.
    [
      ['rules[0]: never decides: the policy "p1" is stricter whenever it matches'],
      rules(rule('w', 'tool in ["a", "b"]', 'effect: WARN')),
      rules(rule('b', a), rule('c', 'tool == "b"')),
    ],
    [
      ['rules[0]: never decides: the other policies together are stricter whenever it matches'],
      rules(rule('w', 'tool in ["a", "b"]', 'effect: WARN')),
      rules(rule('b', a)),
      rules(rule('b', 'tool == "b"')),
    ],
    // Floors and escalations are those of all.
    [
      [],
      `severityFloors: { HIGH: BLOCK }\n${rules(rule('w', a, 'effect: WARN, severity: HIGH'))}`,
      rules(rule('b', a)),
    ],
    [
      [],
      rules(rule('w', a, 'effect: WARN, severity: MEDIUM')),
      `severityFloors: { HIGH: BLOCK }\n${rules(rule('b', a), rule('e', '"PII" in dataTags', 'escalate: 1'))}`,
    ],
    [
      [stricter],
      rules(rule('w', a, 'effect: WARN, severity: MEDIUM')),
      rules(rule('b', a), rule('e', '"PII" in dataTags', 'escalate: 1')),
    ],
    // A failure blocks, unless others block as well.
    [[], rules(rule('w', 'input.x > 1', 'effect: WARN')), rules(rule('b', 'input.?x.orValue(0) > 1'))],
    [[stricter], rules(rule('w', 'input.x > 1', 'effect: WARN')), rules(rule('b', 'input.x > 0'))],
    // A label is given and a rule that never matches is superfluous whatever others do.
    [[], rules(rule('w', a, 'effect: WARN, label: [A]')), rules(rule('b', a))],
    [[], rules(rule('w', `${a} && tool == "b"`, 'effect: WARN')), rules(rule('b', 'true'))],
    // A held result is withheld.
    [
      [stricter],
      `rules:\n  - { id: w, on: [RESULT], when: "true", effect: WARN }\n`,
      `rules:\n  - { id: b, on: [RESULT], when: "true", effect: APPROVAL_REQUIRED }\n`,
    ],
  ];
  for (const [expected, ...bodies] of cases) t.same(outweighed(bodies), expected, bodies.join('---\n'));
  t.same(outweighed([rules(rule('x', a)), rules(rule('b', a))], 1), [
    'rules[0]: never decides: the rule "x" of the policy "p0" is as strict whenever it matches',
  ]);
  const held = rules(rule('h', a, 'effect: APPROVAL_REQUIRED'));
  t.same(outweighed([held, held], 1), [], 'approvals may ask different people');
});

t.test('of policies that are too large, nothing is said', async (t) => {
  const policies = ['effect: WARN', 'effect: BLOCK'].map((does) =>
    read('p', rules(rule('a', 'tool == "a"', does))),
  );
  const { report } = readDocument(textOf('p', ''));
  const found = outweighedRules(policies, 0, report, { nodes: 1 });
  t.same(proveByIntervals(found, { left: steps }, steps), []);
});

t.test('no rule is said to decide nothing that decides about a subject of a small world', async (t) => {
  const random = new Random(7);
  const all = subjects(random);
  let found = 0;
  for (let index = 0; index < 60; index++) {
    const few = [random.pick(leaves), random.pick(leaves)];
    const does = () =>
      random.pick([
        'effect: WARN',
        'effect: WARN, severity: HIGH',
        'effect: APPROVAL_REQUIRED',
        'effect: BLOCK',
      ]);
    const body = (): string =>
      `${head}onError: ${random.pick(['BLOCK', 'WARN'])}\nseverityFloors: { CRITICAL: BLOCK }\n${rules(
        rule('one', condition(random, 1, few), does()),
        rule('e', random.pick(few), random.pick(['escalate: 1', 'label: [x]'])),
      )}`;
    const bodies = [body(), body()];
    const [first, second] = bodies.map((one, place) => read(`p${place}`, one)) as [
      ProvedPolicy,
      ProvedPolicy,
    ];
    for (const index of [0, 1]) {
      const messages = outweighed(bodies, index);
      if (messages.length === 0) continue;
      found += 1;
      const [one, two] = index === 0 ? [first, second] : [second, first];
      const without = { ...one, policy: { ...one.policy, rules: one.policy.rules.slice(1) } };
      for (const given of all) {
        const decided = (policies: ProvedPolicy[]) =>
          decideWitness(policies, given).decision.enforcementAction;
        const [before, after] = [decided([one, two]), decided([without, two])];
        if (before !== after)
          t.fail(`${messages}: ${bodies.join('---\n')}${JSON.stringify(given)}: ${before}, ${after}`);
      }
    }
  }
  t.ok(found > 5, `${found} rules never decide`);
});

t.test(
  'within a policy, a rule that fails more strictly than another one decides is not superfluous',
  async (t) => {
    const shadowed = (body: string): string[] => {
      const { report } = readDocument(textOf('p', body));
      const proof = ruleWarnings(read('p', body), () => false, report);
      return proveByIntervals(proof, { left: steps }, steps).map(({ code }) => code);
    };
    const body = (onError: string) =>
      `onError: ${onError}\n${rules(rule('w', 'tool == "a" && input.x > 2', 'effect: WARN'), rule('h', 'tool == "a"', 'effect: APPROVAL_REQUIRED'))}`;
    t.same(shadowed(body('BLOCK')), []);
    t.same(shadowed(body('APPROVAL_REQUIRED')), ['shadowed']);
  },
);

const property = (holds: string, more = ''): string =>
  `properties:\n  - { name: q, holds: ${JSON.stringify(holds)}${more} }\n`;

t.test('a property holds over all policies that decide together', async (t) => {
  const proved = (bodies: readonly string[]): PropertyResult => {
    const [policy, ...others] = bodies.map((body, place) => read(`p${place}`, body));
    return proveByIntervals(proveProperty(policy as ProvedPolicy, 0, { others }), { left: steps }, steps);
  };
  const blocked = 'decision.enforcementAction == "BLOCK"';
  const warned = rules(rule('w', 'session.warningCount >= 3', 'effect: WARN'));
  const promise = property(blocked, `, when: 'session.warningCount >= 3'`);
  t.match(proved([warned + promise]), { verdict: 'VIOLATED', decision: { enforcementAction: 'WARN' } });
  t.match(proved([warned + promise, rules(rule('b', 'session.warningCount > 2'))]), { verdict: 'PROVED' });
  t.match(proved([warned + promise, rules(rule('b', 'session.warningCount > 3'))]), {
    verdict: 'VIOLATED',
    witness: { session: { warningCount: 3 } },
  });
  // By induction over sessions.
  const few = property('session.toolCounts[?"pay"].orValue(0) <= 3');
  t.match(proved([warned + few]), { verdict: 'UNKNOWN' });
  t.match(proved([warned + few, rules(rule('b', 'session.toolCounts[?"pay"].orValue(0) >= 3'))]), {
    verdict: 'PROVED',
  });
});

t.test('versions are compared in the company of other policies', async (t) => {
  const limit = (most: number) => read('p', rules(rule('a', `session.actionCount > ${most}`)));
  const compared = (before: ProvedPolicy[], after: ProvedPolicy[]): Comparison =>
    proveByIntervals(compareVersions(before, after), { left: 2 * steps }, steps);
  const house = read('house', rules(rule('h', 'session.actionCount > 4')));
  t.match(compared([limit(5)], [limit(7)]), {
    verdict: 'LAXER',
    laxer: { witness: { session: { actionCount: 6 } } },
  });
  t.match(compared([limit(5), house], [limit(7), house]), { verdict: 'EQUAL' });
  t.match(compared([limit(5), house], [house]), { verdict: 'EQUAL' });
  t.match(compared([limit(3), house], [house]), {
    verdict: 'LAXER',
    laxer: { witness: { session: { actionCount: 4 } }, before: 'BLOCK', after: 'ALLOW' },
  });
  t.match(compared([house], [limit(3), house]), { verdict: 'STRICTER' });
});

t.test('counters of one name that count differently are not taken for one', async (t) => {
  const spent = (where: string, per = '') =>
    read(
      'p',
      `counters: { n: { over: session, where: '${where}'${per} } }\n${rules(rule('a', per ? 'counters.n["x"] > 3' : 'counters.n > 3'))}`,
    );
  for (const per of ['', ', per: tool']) {
    const found = proveByIntervals(
      compareVersions([spent('tool == "a"', per)], [spent('tool == "b"', per)]),
      { left: 2 * steps },
      steps,
    );
    t.equal(found.verdict, 'UNKNOWN');
    t.ok(found.notModelled.includes('counters.n of different definitions'), found.notModelled.join());
  }
});
