import { CelError, formatTimestamp, Timestamp } from '../../cel/index.ts';
import { stringifyJson } from '../../json/stringify.ts';
import type { ExplainedRule, ExplainedValue } from '../../schemas/explanations.ts';
import type { PolicyRule } from '../../schemas/policy-rules.ts';
import type { PolicyTestGiven } from '../../schemas/policy-tests.ts';
import { enforcementActions } from '../../schemas/words.ts';
import { Activation } from '../activation.ts';
import { type CompiledPolicy, type CompiledRule, phaseBit } from '../compile-policy.ts';
import { decide } from '../decide.ts';
import type { ListEntries } from '../environment.ts';
import { ruleReads } from '../reads.ts';
import { DecisionBudget } from '../seen.ts';
import type { Decision, Subject } from '../subject.ts';
import { type CheckOptions, checkPolicyDocument, compileOnly } from './check-policy-document.ts';
import type { PolicyIssue } from './policy-issue.ts';
import { testSubject } from './test-subject.ts';

/** The decision of a document about one action, and what each of its rules saw. */
export interface TriedAction
  extends Pick<Decision, 'outcome' | 'enforcementAction' | 'severity' | 'violations'> {
  labels: string[];
  dataTags: string[];
  rules: ExplainedRule[];
}

/** There is no decision: what is wrong with the document, or with the action. Paths of the action begin with `/given`. */
export type Tried = { decision: TriedAction } | { issues: PolicyIssue[]; of: 'document' | 'given' };

const identity = { policyId: '', policyVersion: 1 };
const place = '/tests/0/given';
/** Steps in which the values of one rule are read again. */
const stepsPerRule = 100_000;

/**
 * Decides one action by a document as if it were enforced, with the subject that a test of it would describe. `lists`: the entries of
 * shared lists that the action does not name.
 */
export function tryAction(source: string, given: unknown, lists: ListEntries, options: CheckOptions): Tried {
  const plain = checkPolicyDocument(source, { ...options, ...compileOnly });
  if (!plain.document) return { issues: plain.issues, of: 'document' };
  const test = { name: 'try', given, expect: { enforcementAction: 'ALLOW' } };
  const asTest = checkPolicyDocument(stringifyJson({ ...plain.document, tests: [test] }), {
    ...options,
    ...compileOnly,
  });
  if (!asTest.valid) return { issues: asTest.issues.map(ofGiven), of: 'given' };
  const action = given as PolicyTestGiven;
  const bound = checkPolicyDocument(source, {
    ...options,
    ...compileOnly,
    ...(action.params && { params: action.params }),
  });
  if (!bound.compile || !bound.document) {
    return { issues: bound.issues.map((issue) => ({ ...issue, path: `/given${issue.path}` })), of: 'given' };
  }
  const noEntries = Object.fromEntries((bound.lists ?? []).map((name) => [name, []]));
  const policy = bound.compile(identity, {
    mode: 'ENFORCE',
    lists: { ...noEntries, ...lists, ...action.lists },
  });
  const subject = testSubject(action, policy.detectors, options.detect, policy.toolNames);
  const decision = decide([policy], subject);
  const { outcome, enforcementAction, severity, violations, labels } = decision;
  return {
    decision: {
      outcome,
      enforcementAction,
      severity,
      violations,
      labels: [...labels],
      // A test says all that is known.
      dataTags: [...(subject.dataTags as readonly string[])],
      rules: explained(bound.document.rules, ruleReads(bound.document), policy, subject, decision),
    },
  };
}

const ofGiven = (issue: PolicyIssue): PolicyIssue => ({
  ...issue,
  path: issue.path.startsWith(place) ? `/given${issue.path.slice(place.length)}` : '/given',
  message: issue.message.replace('tests[0].given', 'given'),
});

function explained(
  rules: readonly PolicyRule[],
  reads: readonly (readonly (readonly string[])[])[],
  policy: CompiledPolicy,
  subject: Subject,
  { violations }: Decision,
): ExplainedRule[] {
  const results = rules.map((_, index) => new RuleRun(policy, policy.rules[index] as CompiledRule, subject));
  const escalating = results
    .filter(({ rule, matched }) => rule.escalate > 0 && matched !== false)
    .map(({ rule }) => `${policy.policyName}/${rule.id}`);
  return rules.map((rule, index): ExplainedRule => {
    const run = results[index] as RuleRun;
    const violation = violations.find(({ ruleId }) => ruleId === rule.id);
    const severity = rule.severity ?? 'MEDIUM';
    const isRaised = violation !== undefined && violation.severity !== severity;
    const rank = (action: string) => (enforcementActions as readonly string[]).indexOf(action);
    const isStricter =
      violation !== undefined &&
      rule.effect !== undefined &&
      rank(violation.enforcementAction) > rank(rule.effect);
    return {
      ruleId: rule.id,
      ruleName: rule.name ?? rule.id,
      when: rule.when,
      result: run.result,
      reads: run.applies ? (reads[index] ?? []).map((path) => run.read(path)) : [],
      raisedFrom: isRaised ? severity : null,
      escalatedBy: isRaised ? escalating : [],
      strengthenedFrom: isStricter ? (rule.effect ?? null) : null,
      strengthenedBy: isStricter ? (violation.reason === 'rule_error' ? 'ON_ERROR' : 'FLOOR') : null,
    };
  });
}

/** One rule, run once more for what it saw. */
class RuleRun {
  readonly rule: CompiledRule;
  readonly applies: boolean;
  readonly matched: unknown;
  readonly #activation: Activation;

  constructor(policy: CompiledPolicy, rule: CompiledRule, subject: Subject) {
    this.rule = rule;
    const activation = new Activation(subject);
    const budget = new DecisionBudget(stepsPerRule, subject.sightings);
    activation.params = policy.params;
    activation.lists = policy.lists;
    activation.vars = policy.bindVariables(activation, budget);
    activation.counters = policy.bindCounters(activation.readings, budget);
    this.#activation = activation;
    this.applies =
      (rule.phases & phaseBit(activation.phase)) !== 0 &&
      (rule.tools === null || rule.tools.has(activation.tool));
    this.matched = this.applies && rule.when.run(activation, budget);
  }

  get result(): ExplainedRule['result'] {
    if (!this.applies) return 'NOT_APPLICABLE';
    if (this.matched === true) return 'MATCHED';
    return this.matched === false ? 'NOT_MATCHED' : 'FAILED';
  }

  read(path: readonly string[]): ExplainedValue {
    let value: unknown = this.#activation;
    for (const name of path) value = memberOf(value, name);
    const why =
      value === undefined ? 'there is no such value' : value instanceof CelError ? value.message : null;
    const shown = { path: path.join('.'), actions: [] };
    if (path[0] === 'seen') return { ...shown, value: null, why: 'it looks values up' };
    return why === null ? { ...shown, value: plainOf(value), why } : { ...shown, value: null, why };
  }
}

function memberOf(value: unknown, name: string): unknown {
  if (value instanceof CelError) return value;
  if (value instanceof Map) return value.get(name);
  if (typeof value !== 'object' || value === null) return undefined;
  // Fields of the activation are getters of its class; those of content are its own.
  const isView = Object.getPrototypeOf(value) !== Object.prototype && Object.getPrototypeOf(value) !== null;
  if (!isView && !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}

/** A value of an expression as JSON has it. */
function plainOf(value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (typeof value !== 'object' || value === null) return value ?? null;
  if (value instanceof CelError) return null;
  if (Array.isArray(value)) return value.map(plainOf);
  if (value instanceof Timestamp) return formatTimestamp(value);
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  return Object.fromEntries(entries.map(([name, one]) => [String(name), plainOf(one)]));
}
