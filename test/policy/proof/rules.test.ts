import t, { type Test } from 'tap';
import { decide } from '../../../src/policy/decide.ts';
import { testSubject } from '../../../src/policy/document/test-subject.ts';
import {
  Model,
  type ProvedPolicy,
  provedPolicy,
  type RuleModel,
} from '../../../src/policy/proof/decision-model.ts';
import type { Formula } from '../../../src/policy/proof/formula.ts';
import { and, not, or } from '../../../src/policy/proof/formula.ts';
import { ask, proveByIntervals } from '../../../src/policy/proof/question.ts';
import { solve } from '../../../src/policy/proof/solve.ts';
import { decideWitness, witnessOf } from '../../../src/policy/proof/witness.ts';
import { Random } from '../../cel/fuzz/random.ts';
import { condition, head, leaves, rareForms, subjects } from './small-worlds.ts';

const seed = Number(process.env.PROOF_SEED ?? 1);
const cases = Number(process.env.PROOF_CASES ?? 120);

type Shown = Record<'never' | 'always' | 'implied', number>;
const nothing = (): Shown => ({ never: 0, always: 0, implied: 0 });

/** Compares what intervals show of two rules with what they do to every one of the subjects. */
function compare(
  t: Test,
  all: ReturnType<typeof subjects>,
  [narrow, broad]: readonly [string, string],
  { shown, missed }: { shown: Shown; missed: Shown },
): void {
  const document = `schemaVersion: 1
name: p
${head}rules:
  - { id: one, on: [ACTION, RESULT], effect: WARN, when: ${JSON.stringify(narrow)} }
  - { id: two, on: [ACTION, RESULT], effect: WARN, when: ${JSON.stringify(broad)} }
`;
  const proved = provedPolicy(document);
  if (typeof proved === 'string') return;
  const found = all.map((given) => {
    const { violations } = decide([proved.policy], testSubject(given, []));
    const outcome = (id: string) => {
      const its = violations.filter(({ ruleId }) => ruleId === id);
      return its.length === 0 ? 'no' : its.some(({ reason }) => reason === 'rule_error') ? 'error' : 'yes';
    };
    return { given, one: outcome('one'), two: outcome('two') };
  });
  const model = new Model();
  const [[first, second] = []] = model.decisionOf([proved]).rules;
  const [one, two] = [first as RuleModel, second as RuleModel];
  const isNever = (formula: Formula): boolean =>
    proveByIntervals(ask(model, formula), { left: 20_000 }, 20_000).kind === 'never';
  const check = (name: keyof Shown, isShown: boolean, isFalse: (of: (typeof found)[number]) => boolean) => {
    const against = found.find(isFalse);
    if (isShown && against)
      t.fail(`${name} is shown of ${narrow} and ${broad}, but there is ${JSON.stringify(against)}`);
    if (isShown) shown[name] += 1;
    else if (!against) missed[name] += 1;
  };
  check('never', isNever(one.matches), (of) => of.one === 'yes');
  check('always', isNever(and(one.applies, not(one.matches))), (of) => of.one !== 'yes');
  check(
    'implied',
    isNever(or(and(one.matches, not(two.matches)), and(one.fails, not(two.matches), not(two.fails)))),
    (of) => (of.one === 'yes' && of.two !== 'yes') || (of.one === 'error' && of.two === 'no'),
  );
}

t.test(`what is shown of a rule is so for every subject of a small world (PROOF_SEED=${seed})`, (t) => {
  const random = new Random(seed);
  const all = subjects(random);
  const counted = { shown: nothing(), missed: nothing() };
  for (let index = 0; index < cases; index++) {
    const few = [random.pick(leaves), random.pick(leaves), random.pick(leaves)];
    compare(t, all, [condition(random, 3, few), condition(random, 2, few)], counted);
  }
  t.comment(JSON.stringify(counted));
  const { shown } = counted;
  t.ok(shown.never > 5 && shown.implied > 5, JSON.stringify(shown));
  t.end();
});

t.test('the same of forms that few policies have', (t) => {
  const all = subjects(new Random(seed));
  const counted = { shown: nothing(), missed: nothing() };
  for (const form of rareForms)
    for (const other of ['tool == "a"', `!(${form})`]) compare(t, all, [form, other], counted);
  t.ok(counted.shown.always > 0, JSON.stringify(counted));
  t.end();
});

const outcomeIn = (proved: ProvedPolicy, given: Parameters<typeof decideWitness>[1]): string => {
  const { violations } = decideWitness([proved], given).decision;
  if (violations.length === 0) return 'no';
  return violations.some(({ reason }) => reason === 'rule_error') ? 'error' : 'yes';
};

t.test('an action that is found where everything is modelled is what the engine says of it', (t) => {
  const random = new Random(seed + 1);
  const found = { confirmed: 0, never: 0, unknown: 0, unmodelled: 0 };
  for (let index = 0; index < cases; index++) {
    const when = condition(random);
    const proved = provedPolicy(
      `schemaVersion: 1\nname: p\n${head}rules:\n  - { id: one, on: [ACTION, RESULT], effect: WARN, when: ${JSON.stringify(when)} }\n`,
    );
    if (typeof proved === 'string') throw new Error(proved);
    const model = new Model();
    const [[rule] = []] = model.decisionOf([proved]).rules;
    const { applies, matches, fails } = rule as RuleModel;
    const questions: [string, Formula][] = [
      ['yes', matches],
      ['error', fails],
      ['no', and(applies, not(matches), not(fails))],
    ];
    for (const [expected, formula] of questions) {
      const all = [formula, ...model.symbols.factsAbout([formula])];
      const answer = solve(all, model.symbols, { left: 100_000 });
      if (answer.kind !== 'sometimes') {
        found[answer.kind] += 1;
        continue;
      }
      const witness = witnessOf(answer.model, model.symbols);
      const outcome = outcomeIn(proved, witness);
      if (outcome === expected) found.confirmed += 1;
      else if (model.symbols.unmodelledIn(all).length > 0) found.unmodelled += 1;
      else t.equal(outcome, expected, `${when}: ${JSON.stringify(witness)}`);
    }
  }
  t.comment(JSON.stringify(found));
  t.ok(found.confirmed > cases && found.never > 0, JSON.stringify(found));
  t.end();
});
