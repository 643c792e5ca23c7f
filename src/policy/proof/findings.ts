import { Model, type ProvedPolicy, type RuleModel } from './decision-model.ts';
import { Spent } from './expression.ts';
import { and, type Formula, not, or } from './formula.ts';
import { type Steps, solve } from './solve.ts';

/**
 * What intervals and finite sets show of the rules of a policy, for every action and session. A `false` is no statement: neither is what
 * they cannot show in time.
 */
export interface RuleProofs {
  /** Whether it never matches. */
  neverMatches(rule: number): boolean;
  /** Whether it matches every action that it applies to. */
  alwaysMatches(rule: number): boolean;
  /** Whether `by` matches whenever `rule` does, and fails or matches whenever that one fails. */
  isImplied(rule: number, by: number): boolean;
}

/** Nodes of expressions, and steps of the search, that a check at save may take: some 50 ms. */
const mostNodes = 4_000;
const mostSteps = 40_000;
/** For one question, so that a hard one leaves something for the others. */
const mostStepsEach = 8_000;

export function ruleProofs(proved: ProvedPolicy): RuleProofs {
  const model = new Model(mostNodes);
  const rules = rulesOf(model, proved);
  if (rules === null)
    return { neverMatches: () => false, alwaysMatches: () => false, isImplied: () => false };
  const steps: Steps = { left: mostSteps };
  const isNever = (formula: Formula): boolean => {
    const each = { left: Math.min(mostStepsEach, steps.left) };
    const given = each.left;
    const answer = solve([formula, ...model.symbols.factsAbout([formula])], model.symbols, each);
    steps.left -= given - Math.max(0, each.left);
    return answer.kind === 'never';
  };
  const at = (rule: number): RuleModel => rules[rule] as RuleModel;
  return {
    neverMatches: (rule) => isNever(at(rule).matches),
    alwaysMatches(rule) {
      const { applies, matches } = at(rule);
      return isNever(and(applies, not(matches)));
    },
    isImplied(rule, by) {
      const [narrow, broad] = [at(rule), at(by)];
      const matchesAlone = and(narrow.matches, not(broad.matches));
      const failsAlone = and(narrow.fails, not(or(broad.matches, broad.fails)));
      return isNever(or(matchesAlone, failsAlone));
    },
  };
}

/** Null for a policy that is too large. */
function rulesOf(model: Model, proved: ProvedPolicy): readonly RuleModel[] | null {
  try {
    return model.decisionOf([proved]).rules[0] ?? null;
  } catch (error) {
    if (error instanceof Spent) return null;
    throw error;
  }
}
