import { type Budget, CelError, createBudget } from '../cel/index.ts';
import { enforcementActions, type Outcome, severities, type Violation } from '../schemas/decisions.ts';
import { Activation } from './activation.ts';
import { type CompiledPolicy, type CompiledRule, phaseBit } from './compile-policy.ts';
import { stepsPerPolicy } from './policy-budgets.ts';
import { renderMessage, type ShowValue } from './render-message.ts';
import { failureMessage } from './rule-failure.ts';
import type { Decision, Subject } from './subject.ts';

const warn = enforcementActions.indexOf('WARN');
const approval = enforcementActions.indexOf('APPROVAL_REQUIRED');
const block = enforcementActions.indexOf('BLOCK');
const gravest = severities.length - 1;
const defaultReviewExpirySeconds = 900;

interface Finding {
  policy: CompiledPolicy;
  rule: CompiledRule;
  /** Index in `enforcementActions`, before floors. */
  effect: number;
  reason: string;
  message: string;
}

/** What the rules of all policies said, before escalation and floors. */
interface Hearing {
  readonly activation: Activation;
  readonly show: ShowValue | undefined;
  /** Refilled for each policy. */
  readonly budget: Budget;
  /** Allocated by the first finding: most evaluations have none. */
  findings: Finding[] | null;
  /** Steps by which enforced policies raise every finding. */
  steps: number;
  /** Steps by which monitored policies raise monitored findings, besides. */
  monitoredSteps: number;
}

/** Counts the steps that evaluations take. */
export interface StepCounter {
  steps: number;
}

/**
 * Evaluates policies against a subject. All rules of all policies run; then escalations raise the severity of every
 * finding, then severity floors apply, and the strictest enforced finding is what the caller must do. A MONITOR policy
 * never changes that: its findings are recorded, and its escalations and floors apply to monitored findings only.
 *
 * Each policy spends a budget of its own (`stepsPerPolicy`), so an input that makes one policy expensive cannot change
 * what another decides. Deterministic; never throws. `counter` is increased by the steps that were taken; `show` is applied to each value that a message shows.
 */
export function decide(
  policies: readonly CompiledPolicy[],
  subject: Subject,
  counter?: StepCounter,
  show?: ShowValue,
): Decision {
  const hearing: Hearing = {
    activation: new Activation(subject),
    show,
    budget: createBudget(),
    findings: null,
    steps: 0,
    monitoredSteps: 0,
  };
  let enforced = 0;
  for (const policy of policies) if (policy.mode === 'ENFORCE') enforced += 1;
  hearAll(policies, 'ENFORCE', stepsPerPolicy(enforced), hearing, counter);
  if (enforced < policies.length) {
    hearAll(policies, 'MONITOR', stepsPerPolicy(policies.length - enforced), hearing, counter);
  }
  return hearing.findings === null
    ? {
        outcome: 'ALLOW',
        enforcementAction: 'ALLOW',
        severity: null,
        enforcedSeverity: null,
        violations: [],
        reviewExpirySeconds: defaultReviewExpirySeconds,
      }
    : conclude(policies, hearing, hearing.findings);
}

function hearAll(
  policies: readonly CompiledPolicy[],
  mode: CompiledPolicy['mode'],
  steps: number,
  hearing: Hearing,
  counter: StepCounter | undefined,
): void {
  const { budget } = hearing;
  for (const policy of policies) {
    if (policy.mode !== mode) continue;
    budget.left = steps;
    hear(policy, hearing);
    if (counter !== undefined) counter.steps += steps - budget.left;
  }
}

function hear(policy: CompiledPolicy, hearing: Hearing): void {
  const { activation, budget } = hearing;
  activation.params = policy.params;
  activation.vars = policy.bindVariables(activation, budget);
  const phase = phaseBit(activation.phase);
  for (const rule of policy.rules) {
    if ((rule.phases & phase) === 0) continue;
    if (rule.tools !== null && !rule.tools.has(activation.tool)) continue;
    const matched = rule.when.run(activation, budget);
    if (matched === false) continue;
    if (matched !== true) fail(policy, rule, hearing, matched, 0);
    // An escalation that fails counts as one that matched: an input must not lower a severity by making it fail.
    if (rule.escalate > 0) {
      if (policy.mode === 'ENFORCE') hearing.steps += rule.escalate;
      else hearing.monitoredSteps += rule.escalate;
    } else if (matched === true) record(policy, rule, hearing);
  }
}

function record(policy: CompiledPolicy, rule: CompiledRule, hearing: Hearing): void {
  const message = renderMessage(rule.message, hearing.activation, hearing.budget, hearing.show);
  if (typeof message !== 'string') fail(policy, rule, hearing, message, rule.effect);
  else {
    hearing.findings ??= [];
    hearing.findings.push({ policy, rule, effect: rule.effect, reason: rule.reason, message });
  }
}

/** `least`: what the rule does in any case, because it matched and only its message failed. */
function fail(
  policy: CompiledPolicy,
  rule: CompiledRule,
  hearing: Hearing,
  error: unknown,
  least: number,
): void {
  const why = error instanceof CelError ? error.message : 'its condition is neither true nor false';
  const message = failureMessage(policy, rule, why);
  hearing.findings ??= [];
  hearing.findings.push({
    policy,
    rule,
    effect: Math.max(policy.onError, least),
    reason: 'rule_error',
    message,
  });
}

function conclude(
  policies: readonly CompiledPolicy[],
  hearing: Hearing,
  findings: readonly Finding[],
): Decision {
  const enforcedFloors = strictestFloors(policies, 'ENFORCE');
  const monitoredFloors = strictestFloors(policies, 'MONITOR');
  let action = 0;
  let severity = -1;
  let enforcedSeverity = -1;
  let reviewExpirySeconds = Number.POSITIVE_INFINITY;
  const violations = findings.map(({ policy, rule, effect, reason, message }): Omit<Violation, 'id'> => {
    const enforced = policy.mode === 'ENFORCE';
    const steps = hearing.steps + (enforced ? 0 : hearing.monitoredSteps);
    const raised = Math.min(rule.severity + steps, gravest);
    let does = Math.max(effect, enforcedFloors[raised] as number);
    if (!enforced) does = Math.max(does, monitoredFloors[raised] as number);
    // A result cannot wait: the action is done, and only what the model sees of it can still be stopped.
    if (does === approval && hearing.activation.phase === 'RESULT') does = block;
    severity = Math.max(severity, raised);
    if (enforced) {
      action = Math.max(action, does);
      enforcedSeverity = Math.max(enforcedSeverity, raised);
      if (does === approval) reviewExpirySeconds = Math.min(reviewExpirySeconds, policy.reviewExpirySeconds);
    }
    return {
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
  });
  return {
    outcome: outcomeOf(action),
    enforcementAction: enforcementActions[action] as Decision['enforcementAction'],
    severity: severities[severity] as Violation['severity'],
    enforcedSeverity: severities[enforcedSeverity] ?? null,
    violations,
    reviewExpirySeconds: Number.isFinite(reviewExpirySeconds)
      ? reviewExpirySeconds
      : defaultReviewExpirySeconds,
  };
}

/** Of an evaluation that found something. */
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
