import { type CompiledPolicy, type Decision, decide, type Subject } from '../engine/index.ts';
import { enforcementActions, letsThrough, type Severity, severities } from '../schemas/decisions.ts';
import type { StoredIntegration } from '../store/store.ts';

type Found = Decision['violations'][number];

/**
 * The decision of the policies in force, and of what the settings of the integration find (`found`). With `whenNoPolicy:
 * BLOCK`, nothing passes while no policy is enforced: one in mode MONITOR stops nothing, so it does not count.
 */
export function decideFor(
  { settings }: Pick<StoredIntegration, 'settings'>,
  policies: readonly CompiledPolicy[],
  subject: Subject,
  show: Parameters<typeof decide>[3],
  steps: Parameters<typeof decide>[2],
  found: readonly Found[],
): Decision {
  const decision = decide(policies, subject, steps, show);
  const all = blocksAll({ settings }, policies) ? [noPolicy, ...found] : found;
  if (all.length === 0) return decision;
  const { afterwards } = decision;
  return {
    ...withViolations(decision, all),
    ...(afterwards && { afterwards: (told) => withViolations(afterwards(told), all) }),
  };
}

/** The strictest wins, as among policies. */
export function withViolations(decision: Decision, found: readonly Found[]): Decision {
  const rank = Math.max(
    ...[decision, ...found].map(({ enforcementAction }) => enforcementActions.indexOf(enforcementAction)),
  );
  const enforcementAction = enforcementActions[rank] as Decision['enforcementAction'];
  return {
    ...decision,
    outcome: letsThrough(enforcementAction) ? 'FLAG' : 'DENY',
    enforcementAction,
    severity: highest(decision.severity, found),
    enforcedSeverity: highest(decision.enforcedSeverity, found),
    violations: [...found, ...decision.violations],
  };
}

const highest = (severity: Severity | null, found: readonly Found[]): Severity | null => {
  const ranks = found.map((violation) => severities.indexOf(violation.severity));
  return severities[Math.max(severity === null ? -1 : severities.indexOf(severity), ...ranks)] ?? null;
};

/** Whether nothing passes because no policy is enforced. */
export const blocksAll = (
  { settings }: Pick<StoredIntegration, 'settings'>,
  policies: readonly CompiledPolicy[],
): boolean => settings.whenNoPolicy === 'BLOCK' && !policies.some(({ mode }) => mode === 'ENFORCE');

const noPolicy: Found = {
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
