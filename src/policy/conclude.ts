import type { Outcome, Violation } from '../schemas/decisions.ts';
import type { GrantTerms } from '../schemas/grants.ts';
import { plainTerms, type ReviewTerms, termsOfAll } from '../schemas/review-terms.ts';
import { enforcementActions, severities } from '../schemas/words.ts';
import type { Activation } from './activation.ts';
import { type CompiledPolicy, type CompiledRule, defaultReviewExpirySeconds } from './compile-policy.ts';
import type { CompiledCounter } from './counters/compile-counter.ts';
import type { Counted } from './counters/count.ts';
import type { DecisionBudget } from './seen.ts';
import type { Decision, GrantableFinding, ShowValue, Unevaluated } from './subject.ts';

const warn = enforcementActions.indexOf('WARN');
const approval = enforcementActions.indexOf('APPROVAL_REQUIRED');
const block = enforcementActions.indexOf('BLOCK');
const highest = severities.length - 1;

export interface Finding {
  policy: CompiledPolicy;
  rule: Pick<CompiledRule, 'id' | 'name' | 'severity'> &
    Partial<Pick<CompiledRule, 'terms' | 'expirySeconds'>>;
  /** Index in `enforcementActions`, before floors. */
  effect: number;
  reason: string;
  message: string;
  /** Absent for a rule that failed: whoever approves that has not seen what it would find. */
  grant?: GrantTerms | null;
}

/** The results of the rules of all policies, before escalation and floors. */
export interface RuleResults {
  readonly activation: Activation;
  readonly show: ShowValue | undefined;
  /** Refilled for each policy. */
  readonly budget: DecisionBudget;
  /** Null until the first finding: most evaluations have none. */
  findings: Finding[] | null;
  /** Steps by which enforced policies raise every finding. */
  steps: number;
  /** Steps by which monitored policies raise monitored findings in addition. */
  monitoredSteps: number;
  counted: Counted[];
  /** Null until the first label. */
  labels: Set<string> | null;
  monitoredLabels: Set<string> | null;
  /** Null until the first. */
  unevaluated: Unevaluated[] | null;
  /** Counters that depend on the decision; null for none. */
  later: { policy: CompiledPolicy; counters: readonly CompiledCounter[]; left: number }[] | null;
}

/** The decision that follows from the findings, after escalations and floors. */
export function concluded(policies: readonly CompiledPolicy[], results: RuleResults): Decision {
  const decision = fromFindings(policies, results);
  return results.unevaluated === null ? decision : { ...decision, unevaluated: results.unevaluated };
}

const fromFindings = (policies: readonly CompiledPolicy[], results: RuleResults): Decision =>
  results.findings === null
    ? {
        outcome: 'ALLOW',
        enforcementAction: 'ALLOW',
        severity: null,
        enforcedSeverity: null,
        violations: [],
        ...labelsOf(results),
        counted: results.counted,
        terms: plainTerms,
        grantable: [],
        reviewExpirySeconds: defaultReviewExpirySeconds,
      }
    : conclude(policies, results, results.findings);

const none: readonly string[] = [];
const labelsOf = ({
  labels,
  monitoredLabels,
}: RuleResults): Pick<Decision, 'labels' | 'monitoredLabels'> => ({
  labels: labels === null ? none : [...labels],
  monitoredLabels: monitoredLabels === null ? none : [...monitoredLabels],
});

function conclude(
  policies: readonly CompiledPolicy[],
  results: RuleResults,
  findings: readonly Finding[],
): Decision {
  const enforcedFloors = strictestFloors(policies, 'ENFORCE');
  const monitoredFloors = strictestFloors(policies, 'MONITOR');
  let action = 0;
  let severity = -1;
  let enforcedSeverity = -1;
  let reviewExpirySeconds = Number.POSITIVE_INFINITY;
  const terms: ReviewTerms[] = [];
  const grantable: GrantableFinding[] = [];
  const violations = findings.map(({ policy, rule, effect, reason, message, grant }) => {
    const enforced = policy.mode === 'ENFORCE';
    const steps = results.steps + (enforced ? 0 : results.monitoredSteps);
    const raised = Math.min(rule.severity + steps, highest);
    let does = Math.max(effect, enforcedFloors[raised] as number);
    if (!enforced) does = Math.max(does, monitoredFloors[raised] as number);
    // A result cannot wait for approval: the action is done, and only showing its result to the model can be stopped.
    if (does === approval && results.activation.phase === 'RESULT') does = block;
    severity = Math.max(severity, raised);
    const violation: Omit<Violation, 'id'> = {
      ruleId: rule.id,
      ruleName: rule.name,
      policyId: policy.policyId,
      policyName: policy.policyName,
      policyVersion: policy.policyVersion,
      mode: policy.mode,
      severity: severities[raised] as Violation['severity'],
      enforcementAction: enforcementActions[does] as Violation['enforcementAction'],
      reason,
      message,
    };
    if (enforced) {
      action = Math.max(action, does);
      enforcedSeverity = Math.max(enforcedSeverity, raised);
      if (does === approval) {
        const asked = rule.expirySeconds ?? policy.reviewExpirySeconds;
        reviewExpirySeconds = Math.min(reviewExpirySeconds, asked);
        terms.push(rule.terms ?? plainTerms);
        if (grant) grantable.push({ violation, terms: grant });
      }
    }
    return violation;
  });
  return {
    outcome: outcomeOf(action),
    enforcementAction: enforcementActions[action] as Decision['enforcementAction'],
    severity: severities[severity] as Violation['severity'],
    enforcedSeverity: severities[enforcedSeverity] ?? null,
    violations,
    ...labelsOf(results),
    counted: results.counted,
    terms: termsOfAll(terms),
    grantable,
    reviewExpirySeconds: Number.isFinite(reviewExpirySeconds)
      ? reviewExpirySeconds
      : defaultReviewExpirySeconds,
  };
}

/** The outcome of an evaluation with findings. */
function outcomeOf(action: number): Outcome {
  return action > warn ? 'DENY' : 'FLAG';
}

function strictestFloors(policies: readonly CompiledPolicy[], mode: CompiledPolicy['mode']): number[] {
  const floors = severities.map(() => 0);
  for (const policy of policies) {
    if (policy.mode !== mode) continue;
    for (const [index, floor] of policy.floors.entries())
      floors[index] = Math.max(floors[index] as number, floor);
  }
  return floors;
}
