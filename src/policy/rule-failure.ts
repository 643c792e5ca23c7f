import { severities } from '../schemas/decisions.ts';
import type { CompiledPolicy, CompiledRule } from './compile-policy.ts';

/**
 * The message of a violation for a rule that failed. Run-time errors name fields and functions of the policy, never
 * data, so the message can be stored and shown where the input must not be.
 */
export function failureMessage(policy: CompiledPolicy, rule: CompiledRule, why: string): string {
  return `the rule "${rule.id}" of the policy "${policy.policyName}" failed: ${why}`;
}

/** What a violation says of a counter that could not count an action. No rule has an id with a dot. */
export const counterFailure = (policyName: string, name: string, why: string) => ({
  rule: { id: `counters.${name}`, name: `Counter ${name}`, severity: severities.indexOf('MEDIUM') },
  reason: 'counter_error',
  message: `the counter "${name}" of the policy "${policyName}" failed: ${why}`,
});
