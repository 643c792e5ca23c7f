import { enforcementActions } from '../../schemas/words.ts';
import type { CompiledRule } from '../compile-policy.ts';
import { type PolicyIssue, readablePath } from '../document/policy-issue.ts';
import type { ReportAt } from '../document/read-document.ts';
import { type DecisionModel, type Finding, Model, type ProvedPolicy } from './decision-model.ts';
import { whenSpent } from './expression.ts';
import { and, type Formula, no, not, or } from './formula.ts';
import { ask, type Proof } from './question.ts';

/** The rules of one of several policies that never decide, because the other policies always do. */
export function* outweighedRules(
  policies: readonly ProvedPolicy[],
  index: number,
  report: ReportAt,
  left?: { nodes: number },
): Proof<PolicyIssue[]> {
  const model = new Model(left);
  const decision = decisionOf(model, policies);
  if (decision === null) return [];
  const found: PolicyIssue[] = [];
  for (const [place, rule] of (policies[index] as ProvedPolicy).policy.rules.entries()) {
    if (!isOnlyDecision(rule)) continue;
    const why = yield* whyOutweighed(model, { policies, decision, index }, place);
    if (why === null) continue;
    const path = ['rules', place];
    found.push(report(path, { code: 'shadowed', message: `${readablePath(path)}: never decides: ${why}` }));
  }
  return found;
}

/** Null for policies that are too large. */
function decisionOf(model: Model, policies: readonly ProvedPolicy[]): DecisionModel | null {
  try {
    return model.decisionOf(policies);
  } catch (error) {
    return whenSpent(error, null);
  }
}

/** Labels and escalations have their effect however strict others are. */
const isOnlyDecision = ({ effect, labels }: CompiledRule): boolean => effect > 0 && labels.length === 0;

const approval = enforcementActions.indexOf('APPROVAL_REQUIRED');

interface Together {
  readonly policies: readonly ProvedPolicy[];
  readonly decision: DecisionModel;
  /** The policy whose rule is looked at. */
  readonly index: number;
}

/** Null for a rule that decides, and for one that matches nothing anyway. */
function* whyOutweighed(
  model: Model,
  { policies, decision: { findings, atLeastBy }, index }: Together,
  place: number,
): Proof<string | null> {
  const own = (findings[index] as readonly Finding[]).filter(({ rule }) => rule === place);
  const matching = atLeastBy(own.filter(({ isMatch }) => isMatch));
  const failing = atLeastBy(own.filter(({ isMatch }) => !isMatch));
  /** When the rule counts: other policies are not stricter (or not `asStrict`) where it matches, nor as strict where it fails. */
  const counts = (others: readonly number[], asStrict = false): Formula => {
    const theirs = atLeastBy(others.flatMap((one) => findings[one] as readonly Finding[]));
    return or(
      ...[1, 2, 3].flatMap((action) => [
        and(matching[action] as Formula, not(theirs[asStrict ? action : action + 1] ?? no)),
        and(failing[action] as Formula, not(theirs[action] as Formula)),
      ]),
    );
  };
  const isNever = function* (formula: Formula): Proof<boolean> {
    return (yield* ask(model, formula)).kind === 'never';
  };
  if (yield* isNever(or(matching[1] as Formula, failing[1] as Formula))) return null;
  const others = [...policies.keys()].filter((one) => one !== index);
  if (yield* isNever(counts(others))) {
    for (const one of others)
      if (yield* isNever(counts([one]))) return `${nameOf(policies, one)} is stricter whenever it matches`;
    return 'the other policies together are stricter whenever it matches';
  }
  // Of two rules that are alike, the later one is superfluous. Approvals may ask different people.
  if (policies[index]?.policy.rules[place]?.effect === approval) return null;
  for (const one of others)
    if (one < index && (yield* isNever(counts([one], true))))
      return `${nameOf(policies, one)} is as strict whenever it matches`;
  return null;
}

const nameOf = (policies: readonly ProvedPolicy[], index: number): string =>
  `the policy ${JSON.stringify(policies[index]?.document.name)}`;
