import type { PolicyDocument, PolicyTest } from '../schemas/policy-documents.ts';
import { assemblePolicy } from './compile-policy.ts';
import { decide, type StepCounter } from './decide.ts';
import type { CheckedExpressions } from './expressions.ts';
import type { Decision } from './subject.ts';
import { type Detect, testSubject } from './test-subject.ts';

export interface PolicyTestResult {
  name: string;
  passed: boolean;
  /** What was expected and found; absent when it passed. */
  message?: string;
}

// Ten evaluations that spend their whole budget. 200 of those would take half a minute.
const maxSteps = 20_000_000;

/**
 * Runs the tests of a document that has passed its checks. They run as if the policy were enforced, because they
 * describe what it will do once it is.
 */
export function runDocumentTests(
  document: PolicyDocument,
  expressions: CheckedExpressions,
  detect?: Detect,
): PolicyTestResult[] {
  const { tests = [], detectors = [] } = document;
  const identity = { policyId: 'test', policyVersion: 1 };
  const policy = assemblePolicy({ ...document, mode: 'ENFORCE' }, expressions, identity);
  const counter: StepCounter = { steps: 0 };
  return tests.map((test) => {
    if (counter.steps > maxSteps)
      return { name: test.name, passed: false, message: 'the tests before it took too long' };
    const decision = decide([policy], testSubject(test.given, detectors, detect, policy.toolNames), counter);
    const differences = compare(test.expect, decision);
    return differences.length === 0
      ? { name: test.name, passed: true }
      : { name: test.name, passed: false, message: differences.join('; ') };
  });
}

function compare(expected: PolicyTest['expect'], decision: Decision): string[] {
  const { enforcementAction, outcome, severity, violations } = decision;
  const pairs: [string, unknown, unknown][] = [
    ['enforcementAction', expected.enforcementAction, enforcementAction],
    ['outcome', expected.outcome, outcome],
    ['severity', expected.severity, severity],
    ['rules', sorted(expected.rules), sorted(violations.map(({ ruleId }) => ruleId))],
    ['reasons', sorted(expected.reasons), sorted(violations.map(({ reason }) => reason))],
  ];
  const failures = violations.filter(({ reason }) => reason === 'rule_error').map(({ message }) => message);
  const differences = pairs
    .filter(([, wanted, found]) => wanted !== undefined && String(wanted) !== String(found))
    .map(([what, wanted, found]) => `expected ${what} ${shown(wanted)}, found ${shown(found)}`);
  return differences.length === 0 ? [] : [...differences, ...failures];
}

/** All rules run, so their order means nothing. */
function sorted(words: readonly string[] | undefined): string[] | undefined {
  return words && [...words].sort();
}

function shown(value: unknown): string {
  return Array.isArray(value) ? `[${value.join(', ')}]` : String(value);
}
