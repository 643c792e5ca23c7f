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
  /** When the rule counts beside some findings: they are not stricter (or not `asStrict`) where it matches, nor as strict where it fails. */
  const counts = (others: readonly Finding[], asStrict: boolean): Formula => {
    const theirs = atLeastBy(others);
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
  /** The policy, and if possible its rule, beside which the rule never counts. */
  const outweighing = function* (others: readonly number[], asStrict: boolean): Proof<string | null> {
    for (const one of others) {
      const theirs = findings[one] as readonly Finding[];
      if (!(yield* isNever(counts(theirs, asStrict)))) continue;
      const { document, policy } = policies[one] as ProvedPolicy;
      const name = `the policy ${JSON.stringify(document.name)}`;
      for (const [at, { id }] of policy.rules.entries()) {
        const ofRule = theirs.filter(({ rule }) => rule === at);
        if (yield* isNever(counts(ofRule, asStrict))) return `the rule ${JSON.stringify(id)} of ${name}`;
      }
      return name;
    }
    return null;
  };
  if (yield* isNever(or(matching[1] as Formula, failing[1] as Formula))) return null;
  const others = [...policies.keys()].filter((one) => one !== index);
  const findingsOfOthers = others.flatMap((one) => findings[one] as readonly Finding[]);
  if (yield* isNever(counts(findingsOfOthers, false))) {
    const one = yield* outweighing(others, false);
    return `${one ? `${one} is` : 'the other policies together are'} stricter whenever it matches`;
  }
  // The later one of two rules that are alike is superfluous. Approvals may ask different people.
  if (policies[index]?.policy.rules[place]?.effect === approval) return null;
  const one = yield* outweighing(
    others.filter((other) => other < index),
    true,
  );
  return one && `${one} is as strict whenever it matches`;
}
