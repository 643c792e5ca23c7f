import { type Static, Type } from '@sinclair/typebox';
import { enforcementActions, outcomes, phases, policyModes, resultStatuses, severities } from './words.ts';

export const EnforcementAction = Type.Unsafe<(typeof enforcementActions)[number]>({
  type: 'string',
  enum: [...enforcementActions],
  description: 'what the caller must do, weakest first',
});
export type EnforcementAction = Static<typeof EnforcementAction>;

/** Whether the caller may do the action, so that it counts as done. */
export const letsThrough = (action: EnforcementAction): boolean => action === 'ALLOW' || action === 'WARN';

export const Phase = Type.Unsafe<(typeof phases)[number]>({
  type: 'string',
  enum: [...phases],
  description:
    'ACTION: what the agent is about to do. PROMPT: what a person asked the agent. RESULT: what an action returned.',
});
export type Phase = Static<typeof Phase>;

export const ResultStatus = Type.Unsafe<(typeof resultStatuses)[number]>({
  type: 'string',
  enum: [...resultStatuses],
});
export type ResultStatus = Static<typeof ResultStatus>;

export const Severity = Type.Unsafe<(typeof severities)[number]>({ type: 'string', enum: [...severities] });
export type Severity = Static<typeof Severity>;

export const Outcome = Type.Unsafe<(typeof outcomes)[number]>({ type: 'string', enum: [...outcomes] });
export type Outcome = Static<typeof Outcome>;

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
