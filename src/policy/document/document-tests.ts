import type { EnforcementAction, Outcome, Severity, Violation } from '../../schemas/decisions.ts';
import type { PolicyDocument } from '../../schemas/policy-documents.ts';
import type {
  PolicyTest,
  PolicyTestExpect,
  PolicyTestGiven,
  PolicyTestStep,
} from '../../schemas/policy-tests.ts';
import { assemblePolicy, type CompiledPolicy } from '../compile-policy.ts';
import { decide, type StepCounter } from '../decide.ts';
import {
  atOnce,
  type CheckedExpressions,
  checkExpressions,
  type ExpressionSource,
  preparingPatterns,
} from '../expressions.ts';
import { boundParams, valuesOf } from '../params.ts';
import { listsRead } from '../reads.ts';
import { type DocumentPath, readablePath } from './policy-issue.ts';
import { type Detect, testSubject } from './test-subject.ts';

export interface PolicyTestResult {
  name: string;
  passed: boolean;
  /** The expected and the found decision, in words; absent when it passed. */
  message?: string;
}

/** A test with the place in it that failed: `['steps', 2]`. */
interface LocatedTestResult extends PolicyTestResult {
  place: DocumentPath;
}

/** The budget of all tests of a document: the steps of its expressions, evaluating and scanning. It is over once `steps` is above `most`. */
export interface TestBudget extends StepCounter {
  readonly most: number;
}

/** The steps of a test, and what decides them. */
export interface Replay {
  steps: readonly PolicyTestStep[];
  /** The policy that the test belongs to, then those that it runs with. All are enforced. */
  policies: readonly CompiledPolicy[];
  integration: NonNullable<PolicyTest['integration']>;
  tools: NonNullable<PolicyTest['tools']>;
  /** Is increased by all that the steps cost. The replay ends when it is spent. */
  budget: TestBudget;
}

/**
 * Replays steps as the service would decide and record them. Passed in, because the engine records nothing. Null when all
 * of them meet their expectations; else the index of the first that does not, and why.
 */
export type ReplaySteps = (replay: Replay) => { step: number; message: string } | null;

interface TestOptions {
  /** Gives tests the data tags of their `input`. Without it they have those they name. */
  detect?: Detect | undefined;
  /** Default: `testBudget()`. */
  budget?: TestBudget | undefined;
  /** Replays tests with steps. They fail when it is absent. */
  replaySteps?: ReplaySteps | undefined;
  /** The policy of that name, enforced; or why there is none. */
  findOther: (name: string) => CompiledPolicy | string;
}

/** Twenty evaluations that spend their whole budget: some 200 ms. */
export const testBudget = (most = 20_000_000): TestBudget => ({ steps: 0, most });

/** For each character that is scanned: to scan the slowest texts takes 200 ns a character (bench/detection.ts), a step 40 ns. */
export const stepsPerScannedCharacter = 5;

/**
 * Runs the tests of a document that has passed its checks. They run as if the policy were enforced, because they
 * describe what it will do once it is.
 */
export function runDocumentTests(
  document: PolicyDocument,
  source: ExpressionSource,
  expressions: CheckedExpressions,
  options: TestOptions,
): LocatedTestResult[] {
  atOnce(preparingPatterns(expressions));
  const enforced = assemblePolicy(document, expressions, identity, { mode: 'ENFORCE' });
  // A list that a test leaves out is empty: what it holds elsewhere must not decide a test.
  const noEntries = Object.fromEntries(listsRead(expressions).map((name) => [name, []]));
  const { budget = testBudget() } = options;
  const failureOf = (test: PolicyTest): Failure => {
    if (budget.steps > budget.most) return { message: 'the tests before it took too long', place: [] };
    const { params = test.params, lists = test.lists } = test.given ?? {};
    const bound = params ? withParams(document, source, params) : enforced;
    if (typeof bound === 'string') return { message: bound, place: [] };
    const policy = { ...bound, lists: { ...noEntries, ...lists } };
    return test.steps
      ? failedStep(test, test.steps, policy, budget, options)
      : failedDecision(test, policy, budget, options);
  };
  return (document.tests ?? []).map((test) => {
    const failure = failureOf(test);
    return failure === null
      ? { name: test.name, passed: true, place: [] }
      : { name: test.name, passed: false, ...failure };
  });
}

const identity = { policyId: 'test', policyVersion: 1 };

/** The policy as a binding with these params would have it; a text says why it cannot. */
function withParams(
  document: PolicyDocument,
  source: ExpressionSource,
  params: Readonly<Record<string, unknown>>,
): CompiledPolicy | string {
  const { declared, mistakes } = boundParams(source.params ?? {}, params);
  const wrong = mistakes.map(({ name, message }) => `params.${name}: ${message}`);
  const expressions = checkExpressions({ ...source, params: declared }, (path, { message }) =>
    wrong.push(`${readablePath(path)}: ${message}`),
  );
  if (wrong.length > 0) return wrong.join('; ');
  atOnce(preparingPatterns(expressions));
  return assemblePolicy({ ...document, params: valuesOf(declared) }, expressions, identity, {
    mode: 'ENFORCE',
  });
}

type Failure = { message: string; place: DocumentPath } | null;

function failedDecision(
  { given, expect }: PolicyTest,
  policy: CompiledPolicy,
  budget: TestBudget,
  { detect }: TestOptions,
): Failure {
  // The check has refused a test without steps that has not both.
  const subject = testSubject(given as PolicyTestGiven, policy.detectors, detect, policy.toolNames);
  if (given?.input && detect) budget.steps += JSON.stringify(given.input).length * stepsPerScannedCharacter;
  const decision = decide([policy], subject, budget);
  if (budget.steps > budget.most) return { message: 'it took too long', place: [] };
  const differences = differencesFrom(expect as PolicyTestExpect, decision, policy.policyName);
  return differences.length === 0 ? null : { message: differences.join('; '), place: [] };
}

function failedStep(
  test: PolicyTest,
  steps: readonly PolicyTestStep[],
  policy: CompiledPolicy,
  budget: TestBudget,
  { replaySteps, findOther }: TestOptions,
): Failure {
  if (!replaySteps) return { message: 'steps cannot be replayed here', place: ['steps'] };
  const policies = [policy];
  for (const [index, name] of (test.with ?? []).entries()) {
    const other = findOther(name);
    if (typeof other === 'string') return { message: other, place: ['with', index] };
    policies.push(other);
  }
  const { integration = {}, tools = [] } = test;
  const failed = replaySteps({ steps, policies, integration, tools, budget });
  return failed && { message: failed.message, place: ['steps', failed.step] };
}

/** A decision, as a test compares it. */
interface Found {
  enforcementAction: EnforcementAction;
  outcome: Outcome;
  severity: Severity | null;
  labels: readonly string[];
  violations: readonly Pick<Violation, 'ruleId' | 'policyName' | 'reason' | 'message'>[];
}

/**
 * The differences from the expectation of a test, and why rules failed; empty when nothing differs. Rules of other policies than
 * the test's own are named `policy/rule`.
 */
export function differencesFrom(expected: PolicyTestExpect, found: Found, policyName: string): string[] {
  const { enforcementAction, outcome, severity, labels, violations } = found;
  // A finding of the service itself, such as a rejection by a reviewer, is no rule of a policy.
  const rules = violations
    .filter((violation) => violation.policyName !== '')
    .map((violation) =>
      violation.policyName === policyName ? violation.ruleId : `${violation.policyName}/${violation.ruleId}`,
    );
  const pairs: [string, unknown, unknown][] = [
    ['enforcementAction', expected.enforcementAction, enforcementAction],
    ['outcome', expected.outcome, outcome],
    ['severity', expected.severity, severity],
    ['rules', sorted(expected.rules), sorted(rules)],
    ['labels', sorted(expected.labels), sorted(labels)],
    ['reasons', sorted(expected.reasons), sorted(violations.map(({ reason }) => reason))],
  ];
  const failures = violations
    .filter(({ reason }) => reason === 'rule_error' || reason === 'counter_error')
    .map(({ message }) => message);
  const differences = pairs
    .filter(([, wanted, found]) => wanted !== undefined && String(wanted) !== String(found))
    .map(([what, wanted, found]) => `expected ${what} ${shown(wanted)}, found ${shown(found)}`);
  if (differences.length === 0) return [];
  // Which rules decided is the first thing to know, also where the test does not say.
  const by = expected.rules === undefined && rules.length > 0 ? [`by ${rules.join(', ')}`] : [];
  return [...differences, ...by, ...failures];
}

/** All rules run, so their order means nothing. */
function sorted(words: readonly string[] | undefined): string[] | undefined {
  return words && [...words].sort();
}

function shown(value: unknown): string {
  return Array.isArray(value) ? `[${value.join(', ')}]` : String(value);
}
