import type { Violation } from '../../schemas/decisions.ts';

/** Versions of policies that are on trial differ by themselves. */
export const formOf = (
  { mode, severity, enforcementAction, reason, policyId, policyVersion }: Omit<Violation, 'id'>,
  tried: ReadonlySet<string>,
): string => [mode, severity, enforcementAction, reason, tried.has(policyId) ? 0 : policyVersion].join();
