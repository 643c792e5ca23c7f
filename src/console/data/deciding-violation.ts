import type { EnforcementAction, Violation } from '../../schemas/decisions.ts';

type Reported = Pick<Violation, 'mode' | 'enforcementAction'>;

/** What a list says of a decision: the first violation that asked for what was decided, or else the first of all. */
export const decidingViolation = <V extends Reported>(
  violations: readonly V[],
  decided: EnforcementAction,
): V | undefined =>
  violations.find(({ mode, enforcementAction }) => mode === 'ENFORCE' && enforcementAction === decided) ??
  violations[0];
