export const auditOutcomes = ['SUCCEEDED', 'REFUSED', 'FAILED'] as const;
export type AuditOutcome = (typeof auditOutcomes)[number];

export const auditActorKinds = ['operator', 'integration'] as const;
export type AuditActorKind = (typeof auditActorKinds)[number];
