import { type CompiledPolicy, type Decision, decide, type Subject } from '../engine/index.ts';
import type { StoredIntegration } from '../store/store.ts';

/**
 * The decision of the policies in force. With `whenNoPolicy: BLOCK`, nothing passes while no policy is enforced: one in
 * mode MONITOR stops nothing, so it does not count.
 */
export function decideFor(
  { settings }: StoredIntegration,
  policies: readonly CompiledPolicy[],
  subject: Subject,
  show: Parameters<typeof decide>[3],
): Decision {
  const decision = decide(policies, subject, undefined, show);
  if (!blocksAll({ settings }, policies)) return decision;
  return {
    ...decision,
    outcome: 'DENY',
    enforcementAction: 'BLOCK',
    severity: decision.severity === 'CRITICAL' ? 'CRITICAL' : 'HIGH',
    enforcedSeverity: 'HIGH',
    violations: [noPolicy, ...decision.violations],
  };
}

/** Whether nothing passes because no policy is enforced. */
export const blocksAll = (
  { settings }: Pick<StoredIntegration, 'settings'>,
  policies: readonly CompiledPolicy[],
): boolean => settings.whenNoPolicy === 'BLOCK' && !policies.some(({ mode }) => mode === 'ENFORCE');

const noPolicy: Decision['violations'][number] = {
  ruleId: 'no-policy',
  ruleName: 'No policy',
  policyId: '',
  policyName: '',
  policyVersion: 0,
  mode: 'ENFORCE',
  severity: 'HIGH',
  enforcementAction: 'BLOCK',
  reason: 'no_policy',
  message: 'no policy is in force for this integration, which blocks everything (whenNoPolicy)',
};
