/** The decision on an action, from the weakest to the strictest. */
export const enforcementActions = ['ALLOW', 'WARN', 'APPROVAL_REQUIRED', 'BLOCK'] as const;

/** The moment that is evaluated: what an agent is about to do, what a person asked it, or what an action returned. */
export const phases = ['ACTION', 'PROMPT', 'RESULT'] as const;

/** How an action went, as the caller says with its result. */
export const resultStatuses = ['OK', 'FAILED'] as const;

/** How grave a finding is, lowest first. Escalation moves right, and stops at CRITICAL. */
export const severities = ['LOW', 'MEDIUM', 'HIGH', 'CRITICAL'] as const;

/** ALLOW: no violation. FLAG: violations that do not stop the action. DENY: violations that stop it (blocked or held). */
export const outcomes = ['ALLOW', 'FLAG', 'DENY'] as const;

/** ENFORCE: findings act. MONITOR: findings are recorded and the action goes on. */
export const policyModes = ['ENFORCE', 'MONITOR'] as const;
