import t from 'tap';
import { createMemoryRecord } from '../../../src/features/policies/policy-tests/memory-record.ts';
import { createStepEvaluator } from '../../../src/features/policies/policy-tests/step-evaluator.ts';
import { testBudget } from '../../../src/policy/document/document-tests.ts';
import { epochMs, testSubject } from '../../../src/policy/document/test-subject.ts';
import type { CheckedProperty } from '../../../src/policy/expressions.ts';
import { type ProvedPolicy, provedPolicy } from '../../../src/policy/proof/decision-model.ts';
import { fails, type PropertyResult, proveProperty } from '../../../src/policy/proof/property.ts';
import { proveByIntervals } from '../../../src/policy/proof/question.ts';
import { Random } from '../../cel/fuzz/random.ts';

// takes long: begins first

const read = (rules: readonly string[], holds: string): ProvedPolicy => {
  const proved = provedPolicy(
    `schemaVersion: 1\nname: p\nrules:\n${rules.join('')}properties:\n  - { name: q, holds: ${JSON.stringify(holds)} }\n`,
  );
  if (typeof proved === 'string') throw new Error(proved);
  return proved;
};
/** `isWhole`: whether the policy is the only one that holds actions. */
const verdictOf = (
  policy: ProvedPolicy,
  inSteps: boolean,
  { isWhole = true, steps = 400_000 } = {},
): PropertyResult['verdict'] =>
  proveByIntervals(
    proveProperty(policy, 0, { inSteps, ...(isWhole && { others: [] }) }),
    { left: steps },
    steps,
  ).verdict;
const rule = (id: string, when: string, does = 'effect: BLOCK'): string =>
  `  - { id: ${id}, when: ${JSON.stringify(when)}, ${does} }\n`;
const calls = (tool: string): string => `session.toolCounts[?"${tool}"].orValue(0)`;

t.test('an induction over several actions proves what one action alone does not', async (t) => {
  const warned = rule('w', `tool == "pay" && ${calls('pay')} >= 3`, 'effect: WARN');
  const stopped = (most: number) => rule('b', `session.warningCount >= ${most}`);
  const cases: [
    alone: PropertyResult['verdict'],
    inSteps: PropertyResult['verdict'],
    rules: string[],
    holds: string,
  ][] = [
    // Four payments without a warning never come about: the fourth was warned about.
    ['UNKNOWN', 'PROVED', [warned, stopped(1)], `${calls('pay')} <= 4`],
    ['UNKNOWN', 'PROVED', [warned, stopped(2)], `${calls('pay')} <= 5`],
    ['UNKNOWN', 'UNKNOWN', [warned, stopped(1)], `${calls('pay')} <= 3`],
    // Whatever else is decided.
    [
      'UNKNOWN',
      'PROVED',
      [warned, stopped(1), rule('o', 'tool == session.entityId')],
      `${calls('pay')} <= 4`,
    ],
    // Three actions are the most that are looked at.
    ['UNKNOWN', 'UNKNOWN', [warned, stopped(3)], `${calls('pay')} <= 6`],
    // A tool of which the name ends like a mark is another tool.
    ['UNKNOWN', 'UNKNOWN', [warned, stopped(1)], `${calls("pay'")} <= 4`],
    // What sub-agents hand on does not come from an action.
    ['UNKNOWN', 'UNKNOWN', [warned, stopped(1)], `${calls('pay')} <= 4 || "A" in session.labels`],
  ];
  for (const [alone, inSteps, rules, holds] of cases) {
    const policy = read(rules, holds);
    t.strictSame(
      [verdictOf(policy, false), verdictOf(policy, true)],
      [alone, inSteps],
      `${rules.join('')}${holds}`,
    );
  }
});

t.test(
  'what another policy holds and a person approves passes without the warning of this one',
  async (t) => {
    const policy = read(
      [
        rule('w', `tool == "a" && ${calls('a')} >= 3`, 'effect: WARN'),
        rule('b', 'session.warningCount >= 1'),
      ],
      `${calls('a')} <= 4`,
    );
    t.equal(verdictOf(policy, true), 'PROVED', 'in the company of no other');
    t.equal(verdictOf(policy, true, { isWhole: false }), 'UNKNOWN');
    const always = { pick: <Item>([first]: readonly [Item, ...Item[]]) => first, below: () => 0 };
    t.notOk(losesIt(policy, always));
    t.ok(losesIt(policy, always, holder), 'and so it is lost');
  },
);

t.test('an order of tools is proved whatever else counts, warns and holds', async (t) => {
  const needs = (tool: string, before: string) => rule(tool, `tool == "${tool}" && ${calls(before)} == 0`);
  const stops = [rule('w', `${calls('test')} >= 5`, 'effect: WARN'), rule('s', 'session.warningCount >= 3')];
  const rules = [needs('test', 'build'), needs('deploy', 'test'), ...stops];
  const said = `${calls('deploy')} == 0 || ${calls('build')} > 0`;
  for (const isWhole of [true, false]) {
    t.equal(verdictOf(read(rules, said), false, { isWhole }), 'UNKNOWN', 'by one action');
    t.equal(verdictOf(read(rules, said), true, { isWhole }), 'PROVED');
    t.equal(verdictOf(read(rules.slice(1), said), true, { isWhole }), 'UNKNOWN', 'without the first rule');
  }
});

const at = epochMs('2026-01-01T12:00:00Z');

/** Another policy, which holds every call of a tool. */
const holder = read([rule('h', 'tool == "a"', 'effect: APPROVAL_REQUIRED')], 'true');

/** Whether a session of some actions, those that are held approved, loses a property of its policy. */
function losesIt(
  policy: ProvedPolicy,
  random: Pick<Random, 'pick' | 'below'>,
  ...others: ProvedPolicy[]
): boolean {
  const record = createMemoryRecord();
  const replay = {
    policies: [policy, ...others].map((one) => one.policy),
    integration: {},
    tools: [],
    budget: testBudget(),
  };
  const evaluate = createStepEvaluator(replay, record);
  let reviewRequestId: string | null = null;
  let tool = 'a';
  for (let action = 0; action < 14; action++) {
    if (reviewRequestId === null) tool = random.pick(['a', 'a', 'b']);
    const evaluated = evaluate({
      phase: 'ACTION',
      at,
      session: { name: 'main', entityId: null, metadata: '{}', parent: null },
      tool,
      input: {},
      targetKey: null,
      dataTags: [],
      resultOf: null,
      resultStatus: null,
      cost: null,
      identity: null,
      reviewRequestId,
    });
    if (typeof evaluated === 'string') throw new Error(evaluated);
    const { enforcementAction, reviewRequestId: review } = evaluated.verdict;
    const isHeld = enforcementAction === 'APPROVAL_REQUIRED' && review !== null;
    reviewRequestId = isHeld && record.decideReview(review, 'APPROVED', at) ? review : null;
    const session = record.sessionNamed('main', at);
    if (session === null) throw new Error('no session');
    const property = policy.expressions.properties[0] as CheckedProperty;
    if (fails(policy, property, { ...testSubject({}, []), session })) return true;
  }
  return false;
}

const seed = Number(process.env.PROOF_SEED ?? 1);
const runs = Number(process.env.PROOF_CASES ?? 60);

t.test(`no session loses a sentence that an induction proved (PROOF_SEED=${seed})`, async (t) => {
  const random = new Random(seed + 9);
  const counts = [
    calls('a'),
    calls('b'),
    'session.warningCount',
    'session.blockCount',
    'session.reviewCount',
  ];
  const compared = () => `${random.pick(counts)} >= ${1 + random.below(3)}`;
  const found = { alone: 0, inSteps: 0, unknown: 0, lost: 0 };
  for (let index = 0; index < runs; index++) {
    const does = () => random.pick(['effect: WARN', 'effect: BLOCK', 'effect: APPROVAL_REQUIRED']);
    const condition = () =>
      random.pick([`tool == "a" && ${compared()}`, compared(), `${compared()} && ${compared()}`]);
    const limit = () => `${random.pick(counts)} <= ${1 + random.below(4)}`;
    const [least, most] = [1 + random.below(3), 1 + random.below(2)];
    // Of any kind, or first warned about and then stopped, which one action alone does not prove.
    const isAny = random.below(2) === 0;
    const first = isAny ? condition() : `tool == "a" && ${calls('a')} >= ${least}`;
    const second = isAny ? condition() : `session.warningCount >= ${most}`;
    const rules = [rule('r', first, isAny ? does() : 'effect: WARN'), rule('s', second, 'effect: BLOCK')];
    const any = random.pick([limit(), limit(), `${limit()} || ${compared()}`]);
    const policy = read(rules, isAny ? any : `${calls('a')} <= ${least + random.below(3)}`);
    const steps = 200_000;
    const [alone, inSteps] = [verdictOf(policy, false, { steps }), verdictOf(policy, true, { steps })];
    const isLost = Array.from({ length: 12 }, () => losesIt(policy, random)).some(Boolean);
    const isLostAmongOthers = Array.from({ length: 6 }, () => losesIt(policy, random, holder)).some(Boolean);
    if (isLostAmongOthers && verdictOf(policy, true, { steps, isWhole: false }) === 'PROVED')
      t.fail(`lost among others: ${rules.join('')}${policy.document.properties?.[0]?.holds}`);
    if (alone === 'PROVED') found.alone += 1;
    else if (inSteps === 'PROVED') found.inSteps += 1;
    else found.unknown += 1;
    if (isLost) found.lost += 1;
    if (isLost && inSteps === 'PROVED')
      t.fail(`proved, but lost: ${rules.join('')}${policy.document.properties?.[0]?.holds}`);
  }
  t.comment(JSON.stringify(found));
  t.ok(found.alone > 1 && found.inSteps > 1 && found.lost > 5, JSON.stringify(found));
});
