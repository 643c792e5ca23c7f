import { type Budget, CelError, toText, Unknown } from '../cel/index.ts';
import type { Outcome, PolicyMode, Violation } from '../schemas/decisions.ts';
import { type GrantTerms, plainTerms, type ReviewTerms, termsOfAll } from '../schemas/review-terms.ts';
import { enforcementActions, severities } from '../schemas/words.ts';
import { Activation } from './activation.ts';
import {
  type CompiledMessage,
  type CompiledPolicy,
  type CompiledRule,
  defaultReviewExpirySeconds,
  phaseBit,
} from './compile-policy.ts';
import type { CompiledCounter } from './counters/compile-counter.ts';
import { type Counted, countedBy, settledBy } from './counters/count.ts';
import { DecisionBudget } from './seen.ts';
import type { Decision, GrantableFinding, ShowValue, Subject, Unevaluated } from './subject.ts';

/** Counts the steps that evaluations take. */
export interface StepCounter {
  steps: number;
  /** No policy takes a step beyond it. An evaluation that is cut off by it decides nothing: nobody may believe it. */
  readonly most?: number;
}

/**
 * Evaluates policies against a subject. All rules of all policies run; then escalations raise the severity of every
 * finding, then severity floors apply, and the strictest enforced finding is what the caller must do. A MONITOR policy
 * never changes that: its findings are recorded, and its escalations and floors apply to monitored findings only.
 *
 * Each policy spends a budget of its own (`stepsPerPolicy`) for its rules, messages and counters, so an input that makes one policy
 * expensive cannot change what another decides, and a monitored policy takes nothing from an enforced one. Deterministic; never
 * throws. `counter` is increased by the steps that were taken; `show` is applied to each value that a message shows.
 */
export function decide(
  policies: readonly CompiledPolicy[],
  subject: Subject,
  counter?: StepCounter,
  show?: ShowValue,
): Decision {
  const results: RuleResults = {
    activation: new Activation(subject),
    show,
    budget: new DecisionBudget(0, subject.sightings),
    findings: null,
    steps: 0,
    monitoredSteps: 0,
    counted: [],
    labels: null,
    monitoredLabels: null,
    unevaluated: null,
    later: null,
  };
  let enforced = 0;
  for (const policy of policies) if (policy.mode === 'ENFORCE') enforced += 1;
  runPolicies(policies, 'ENFORCE', enforced, results, counter);
  if (enforced < policies.length) {
    runPolicies(policies, 'MONITOR', policies.length - enforced, results, counter);
  }
  const decision = concluded(policies, results);
  const { later } = results;
  if (later === null) return decision;
  decision.afterwards = (told) => {
    results.activation.decision = told;
    for (const { policy, counters, left } of later) {
      results.budget.left = left;
      for (const one of counters) countOne(policy, one, results);
    }
    return concluded(policies, results);
  };
  return decision;
}

function runPolicies(
  policies: readonly CompiledPolicy[],
  mode: CompiledPolicy['mode'],
  count: number,
  results: RuleResults,
  counter: StepCounter | undefined,
): void {
  const { budget } = results;
  const steps = stepsPerPolicy(mode, count);
  for (const policy of policies) {
    if (policy.mode !== mode) continue;
    const most =
      counter?.most === undefined ? steps : Math.min(steps, Math.max(0, counter.most - counter.steps));
    budget.left = most;
    budget.policy += 1;
    runPolicy(policy, results);
    if (counter !== undefined) counter.steps += most - budget.left;
  }
}

function runPolicy(policy: CompiledPolicy, results: RuleResults): void {
  const { activation, budget } = results;
  activation.session.monitors = policy.mode === 'MONITOR';
  activation.params = policy.params;
  activation.lists = policy.lists;
  activation.vars = policy.bindVariables(activation, budget);
  activation.counters = policy.bindCounters(activation.readings, budget);
  const phase = phaseBit(activation.phase);
  for (const rule of policy.rules) {
    if ((rule.phases & phase) === 0) continue;
    if (rule.tools !== null && !rule.tools.has(activation.tool)) continue;
    const isReached = budget.left >= 0;
    const matched = rule.when.run(activation, budget);
    if (matched === false) continue;
    if (matched instanceof Unknown) {
      leaveUnevaluated(policy, rule.id, null, results);
      continue;
    }
    if (matched !== true) fail(policy, rule, results, isReached ? matched : NOT_REACHED, 0);
    // An escalation or label that fails counts as one that matched: an input must not evade it by making it fail.
    if (rule.labels.length > 0) addLabels(policy, rule, results);
    if (rule.escalate > 0) {
      if (policy.mode === 'ENFORCE') results.steps += rule.escalate;
      else results.monitoredSteps += rule.escalate;
    } else if (matched === true && rule.effect >= 0) record(policy, rule, results);
  }
  count(policy, results);
}

const NOT_REACHED = new CelError('budget_spent', 'it was not evaluated: those before it used up the budget');

function leaveUnevaluated(
  { policyId, policyName, mode }: CompiledPolicy,
  ruleId: string,
  counter: CompiledCounter | null,
  results: RuleResults,
): void {
  results.unevaluated ??= [];
  results.unevaluated.push({ policyId, policyName, ruleId, counter, decides: mode === 'ENFORCE' });
}

function addLabels({ mode }: CompiledPolicy, { labels }: CompiledRule, results: RuleResults): void {
  const to = (mode === 'ENFORCE' ? results.labels : results.monitoredLabels) ?? new Set<string>();
  for (const label of labels) to.add(label);
  if (mode === 'ENFORCE') results.labels = to;
  else results.monitoredLabels = to;
}

function count(policy: CompiledPolicy, results: RuleResults): void {
  const later: CompiledCounter[] = [];
  for (const counter of policy.counters) {
    if (counter.on !== results.activation.phase) {
      if (results.activation.readings.isReserved(counter)) settle(policy, counter, results);
      continue;
    }
    if (!counter.readsDecision) countOne(policy, counter, results);
    else later.push(counter);
  }
  if (later.length === 0) return;
  results.later ??= [];
  results.later.push({ policy, counters: later, left: results.budget.left });
}

/** An action that a counter cannot count takes `onError`: it must not pass uncounted. */
function countOne(policy: CompiledPolicy, counter: CompiledCounter, results: RuleResults): void {
  keep(policy, counter, countedBy(counter, results.activation, results.budget), results);
}

/** The amount that the action reserved stays when there is none to settle with. */
function settle(policy: CompiledPolicy, counter: CompiledCounter, results: RuleResults): void {
  keep(policy, counter, settledBy(counter, results.activation, results.budget), results);
}

function keep(
  policy: CompiledPolicy,
  counter: CompiledCounter,
  counted: Counted | CelError | null,
  results: RuleResults,
): void {
  if (counted === null) return;
  if (!(counted instanceof CelError)) {
    results.counted.push(counted);
    return;
  }
  if (counted instanceof Unknown) {
    leaveUnevaluated(policy, `counters.${counter.name}`, counter, results);
    return;
  }
  const failure = counterFailure(policy.policyName, counter.name, counted.message);
  results.findings ??= [];
  results.findings.push({ policy, ...failure, effect: policy.onError });
}

function record(policy: CompiledPolicy, rule: CompiledRule, results: RuleResults): void {
  const rendered = renderMessage(rule.message, results.activation, results.budget, results.show);
  // The rule matched, whatever its message would show.
  const message = rendered instanceof Unknown ? rule.name : rendered;
  if (typeof message !== 'string') fail(policy, rule, results, message, rule.effect);
  else {
    results.findings ??= [];
    const { effect, reason, grant } = rule;
    results.findings.push({ policy, rule, effect, reason, message, grant });
  }
}

/** `least`: the effect that applies in any case, because the rule matched and only its message failed. */
function fail(
  policy: CompiledPolicy,
  rule: CompiledRule,
  results: RuleResults,
  error: unknown,
  least: number,
): void {
  const why = error instanceof CelError ? error.message : 'its condition is neither true nor false';
  const message = failureMessage(policy, rule, why);
  results.findings ??= [];
  results.findings.push({
    policy,
    rule,
    effect: Math.max(policy.onError, least),
    reason: 'rule_error',
    message,
  });
}

/**
 * The message of a violation for a rule that failed. Run-time errors name fields and functions of the policy, never
 * data, so the message can be stored and shown where the input must not be.
 */
function failureMessage(policy: CompiledPolicy, rule: CompiledRule, why: string): string {
  return `the rule "${rule.id}" of the policy "${policy.policyName}" failed: ${why}`;
}

/** The violation for a counter that could not count an action. No rule has an id with a dot. */
const counterFailure = (policyName: string, name: string, why: string) => ({
  rule: { id: `counters.${name}`, name: `Counter ${name}`, severity: severities.indexOf('MEDIUM') },
  reason: 'counter_error',
  message: `the counter "${name}" of the policy "${policyName}" failed: ${why}`,
});

/** The longest text of one value: people read messages, and an input may have a megabyte. */
const maxCharacters = 200;

/** Joins the pieces of a message, or returns the error of the first that fails. `show` is applied to each value before it is cut. */
function renderMessage(
  message: CompiledMessage,
  activation: object,
  budget: Budget,
  show?: ShowValue,
): string | CelError {
  if (typeof message === 'string') return message;
  let rendered = '';
  for (const part of message) {
    if (typeof part === 'string') {
      rendered += part;
      continue;
    }
    const value = part.run(activation, budget);
    const text = value instanceof CelError ? value : toText(value, budget);
    if (text instanceof CelError) return text;
    const shown = show ? show(text) : text;
    rendered += shown.length <= maxCharacters ? shown : shorten(shown);
  }
  return rendered;
}

/** Cuts between code points: half a surrogate pair is not valid Unicode and cannot be stored. */
function shorten(text: string): string {
  const end = /[\uD800-\uDBFF]/.test(text[maxCharacters - 1] as string) ? maxCharacters - 1 : maxCharacters;
  return `${text.slice(0, end)}…`;
}

/**
 * Steps that all policies of one mode may take together in one decision. A decision is made inside a transaction, while nobody else is
 * served, so the sum bounds how long others wait: some 16 ms at the slowest kind of step (bench/cel-hostile.ts).
 */
const stepsOfDecision: Readonly<Record<PolicyMode, number>> = { ENFORCE: 1_500_000, MONITOR: 500_000 };
/** Enough for a hundred rules that read the session. */
const leastSteps = 2_500;

/**
 * The steps that each of `count` policies of a mode may spend. The shares are equal and fixed before any policy runs, never a rest that
 * another one left: with a shared budget, an input that makes one policy expensive makes the others fail, and one
 * that fails with `onError: WARN` no longer blocks.
 */
const stepsPerPolicy = (mode: PolicyMode, count: number): number =>
  Math.max(leastSteps, Math.floor(stepsOfDecision[mode] / count));

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
function concluded(policies: readonly CompiledPolicy[], results: RuleResults): Decision {
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
