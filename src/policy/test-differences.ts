import type { EnforcementAction, Outcome, Severity, Violation } from '../schemas/decisions.ts';
import type { PolicyTestExpect } from '../schemas/policy-test-steps.ts';

/** What was decided, as a test compares it. */
export interface Found {
  enforcementAction: EnforcementAction;
  outcome: Outcome;
  severity: Severity | null;
  labels: readonly string[];
  violations: readonly Pick<Violation, 'ruleId' | 'policyName' | 'reason' | 'message'>[];
}

/**
 * What differs from what a test expects, and why rules failed; empty when nothing differs. Rules of other policies than the
 * test's own are named `policy/rule`.
 */
export function differencesFrom(expected: PolicyTestExpect, found: Found, policyName: string): string[] {
  const { enforcementAction, outcome, severity, labels, violations } = found;
  // What the service itself found, such as a rejection by a reviewer, is no rule of a policy.
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
