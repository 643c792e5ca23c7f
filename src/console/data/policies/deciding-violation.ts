import type { EnforcementAction, Violation } from '../../../schemas/decisions.ts';

type Reported = Pick<Violation, 'mode' | 'enforcementAction'>;

/** The violation that a list shows for a decision: the one that asked for the decision, or else the first that could decide anything. */
export const decidingViolation = <V extends Reported>(
  violations: readonly V[],
  decided: EnforcementAction,
): V | undefined => {
  const enforced = violations.filter(({ mode }) => mode === 'ENFORCE');
  return enforced.find(({ enforcementAction }) => enforcementAction === decided) ?? enforced[0];
};
