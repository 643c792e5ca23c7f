import type { CompiledRule } from '../compile-policy.ts';
import type { PolicyIssue } from '../document/policy-issue.ts';
import { readablePath } from '../document/policy-issue.ts';
import type { ReportAt } from '../document/read-document.ts';
import { Model, type ProvedPolicy, type RuleModel } from './decision-model.ts';
import { whenSpent } from './expression.ts';
import { and, type Formula, not, or } from './formula.ts';
import { ask, type Proof } from './question.ts';

/** The rules of a policy that can be left out: they never match, or another one covers them. And those that match everything. */
export function* ruleWarnings(
  proved: ProvedPolicy,
  isKnown: (rule: number) => boolean,
  report: ReportAt,
  left?: { nodes: number },
): Proof<PolicyIssue[]> {
  const model = new Model(left);
  const models = rulesOf(model, proved);
  if (models === null) return [];
  const found: PolicyIssue[] = [];
  for (const [index, rule] of proved.policy.rules.entries()) {
    if (!isKnown(index)) found.push(...(yield* matchWarning(model, models, index, rule, report)));
    found.push(...(yield* shadowWarning(model, models, proved, index, report)));
  }
  return found;
}

/** Null for a policy that is too large. */
function rulesOf(model: Model, proved: ProvedPolicy): readonly RuleModel[] | null {
  try {
    return model.decisionOf([proved]).rules[0] ?? null;
  } catch (error) {
    return whenSpent(error, null);
  }
}

function* isNever(model: Model, formula: Formula): Proof<boolean> {
  return (yield* ask(model, formula)).kind === 'never';
}

function* matchWarning(
  model: Model,
  models: readonly RuleModel[],
  index: number,
  { tools }: CompiledRule,
  report: ReportAt,
): Proof<PolicyIssue[]> {
  const { applies, matches } = models[index] as RuleModel;
  const path = ['rules', index, 'when'];
  const where = readablePath(path);
  if (yield* isNever(model, matches))
    return [
      report(path, {
        code: 'never_matches',
        message: `${where}: the rule can never match: its parts exclude each other`,
      }),
    ];
  // In a rule for a tool, a condition that is always true is how to say "always, for this tool".
  if (tools !== null || !(yield* isNever(model, and(applies, not(matches))))) return [];
  return [report(path, { code: 'always_matches', message: `${where}: the rule matches every action` })];
}

/**
 * A rule adds nothing when an earlier one with the same condition has at least its effect and its severity, and when
 * another one that matches whenever it does has a stricter effect.
 */
function* shadowWarning(
  model: Model,
  models: readonly RuleModel[],
  { policy: { rules, onError } }: ProvedPolicy,
  index: number,
  report: ReportAt,
): Proof<PolicyIssue[]> {
  const rule = rules[index] as CompiledRule;
  const path = ['rules', index];
  const narrow = models[index] as RuleModel;
  for (const [at, other] of rules.entries()) {
    const broad = models[at] as RuleModel;
    const mayShadow = at < index || (at > index && other.effect > rule.effect);
    const isAsStrictAsFailure = other.effect >= onError;
    if (!mayShadow || !covers(other, rule)) continue;
    if (!(yield* isImplied(model, narrow, broad, isAsStrictAsFailure))) continue;
    // For the tools and phases of the narrower rule.
    const within = {
      ...broad,
      matches: and(narrow.applies, broad.matches),
      fails: and(narrow.applies, broad.fails),
    };
    const isSame = at < index && (yield* isImplied(model, within, narrow, true));
    if (!isSame && other.effect <= rule.effect) continue;
    const why = isSame ? 'which has the same condition' : 'which is stricter and matches whenever it does';
    const message = `${readablePath(path)}: adds nothing to rules[${at}] ("${other.id}"), ${why}`;
    return [report(path, { code: 'shadowed', message })];
  }
  return [];
}

/** Whether `broad` matches whenever `narrow` does, and fails whenever that one fails, or is then `asStrictAsFailure` and matches. */
function isImplied(
  model: Model,
  narrow: RuleModel,
  broad: RuleModel,
  asStrictAsFailure: boolean,
): Proof<boolean> {
  const matchesAlone = and(narrow.matches, not(broad.matches));
  const covered = asStrictAsFailure ? or(broad.matches, broad.fails) : broad.fails;
  const failsAlone = and(narrow.fails, not(covered));
  return isNever(model, or(matchesAlone, failsAlone));
}

function covers(earlier: CompiledRule, later: CompiledRule): boolean {
  if (later.effect === -1 || earlier.effect < later.effect || earlier.severity < later.severity) return false;
  if ((later.phases & ~earlier.phases) !== 0) return false;
  if (later.labels.some((label) => !earlier.labels.includes(label))) return false;
  const { tools } = earlier;
  return tools === null || (later.tools !== null && [...later.tools].every((tool) => tools.has(tool)));
}
