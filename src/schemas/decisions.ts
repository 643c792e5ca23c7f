import { type Static, Type } from '@sinclair/typebox';

/** What the caller must do, weakest first: the strictest finding wins. */
export const enforcementActions = ['ALLOW', 'WARN', 'APPROVAL_REQUIRED', 'BLOCK'] as const;
export const EnforcementAction = Type.Unsafe<(typeof enforcementActions)[number]>({
  type: 'string',
  enum: [...enforcementActions],
  description: 'what the caller must do, weakest first',
});
export type EnforcementAction = Static<typeof EnforcementAction>;

/** Whether the caller may do the action, so that it counts as done. */
export const letsThrough = (action: EnforcementAction): boolean => action === 'ALLOW' || action === 'WARN';

/** What is evaluated: what an agent is about to do, what a person asked it, or what an action returned. */
export const phases = ['ACTION', 'PROMPT', 'RESULT'] as const;
export const Phase = Type.Unsafe<(typeof phases)[number]>({
  type: 'string',
  enum: [...phases],
  description:
    'ACTION: what the agent is about to do. PROMPT: what a person asked the agent. RESULT: what an action returned.',
});
export type Phase = Static<typeof Phase>;

/** How an action went, as the caller says with its result. */
export const resultStatuses = ['OK', 'FAILED'] as const;
export const ResultStatus = Type.Unsafe<(typeof resultStatuses)[number]>({
  type: 'string',
  enum: [...resultStatuses],
});
export type ResultStatus = Static<typeof ResultStatus>;

/** How grave a finding is, lowest first. Escalation moves right, and stops at CRITICAL. */
export const severities = ['LOW', 'MEDIUM', 'HIGH', 'CRITICAL'] as const;
export const Severity = Type.Unsafe<(typeof severities)[number]>({ type: 'string', enum: [...severities] });
export type Severity = Static<typeof Severity>;

/** ALLOW: no violation. FLAG: violations that do not stop the action. DENY: violations that stop it (blocked or held). */
const outcomes = ['ALLOW', 'FLAG', 'DENY'] as const;
export const Outcome = Type.Unsafe<(typeof outcomes)[number]>({ type: 'string', enum: [...outcomes] });
export type Outcome = Static<typeof Outcome>;

/** ENFORCE: findings act. MONITOR: findings are recorded and the action goes on. */
const policyModes = ['ENFORCE', 'MONITOR'] as const;
export const PolicyMode = Type.Unsafe<(typeof policyModes)[number]>({
  type: 'string',
  enum: [...policyModes],
});
export type PolicyMode = Static<typeof PolicyMode>;

export const Violation = Type.Object({
  id: Type.String({ description: 'id of this violation' }),
  ruleId: Type.String(),
  ruleName: Type.String(),
  policyId: Type.String({ description: 'empty for `no_policy`, as is the name' }),
  policyName: Type.String(),
  policyVersion: Type.Integer({ minimum: 0, description: '0 for `no_policy`' }),
  mode: PolicyMode,
  severity: Severity,
  enforcementAction: EnforcementAction,
  reason: Type.String({ description: 'stable code of the reason' }),
  message: Type.String(),
});
export type Violation = Static<typeof Violation>;
