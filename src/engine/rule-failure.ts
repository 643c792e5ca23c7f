import type { CompiledPolicy, CompiledRule } from './compile-policy.ts';

/**
 * The message of a violation for a rule that failed. Run-time errors name fields and functions of the policy, never
 * data, so the message can be stored and shown where the input must not be.
 */
export function failureMessage(policy: CompiledPolicy, rule: CompiledRule, why: string): string {
  return `the rule "${rule.id}" of the policy "${policy.policyName}" failed: ${why}`;
}
