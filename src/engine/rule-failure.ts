import type { CompiledPolicy, CompiledRule } from './compile-policy.ts';

/**
 * What the violation of a failed rule says. The message of a run-time error names fields and functions of the policy,
 * never data, so it can be stored and shown where the input must not be.
 */
export function failureMessage(policy: CompiledPolicy, rule: CompiledRule, why: string): string {
  return `the rule "${rule.id}" of the policy "${policy.policyName}" failed: ${why}`;
}
