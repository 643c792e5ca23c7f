export const operatorRoles = ['OWNER', 'POLICY_EDITOR', 'REVIEWER', 'AUDITOR', 'READ_ONLY'] as const;
export type OperatorRole = (typeof operatorRoles)[number];

/** A DISABLED operator is refused, with all of its keys. */
export const operatorStatuses = ['ACTIVE', 'DISABLED'] as const;
export type OperatorStatus = (typeof operatorStatuses)[number];
