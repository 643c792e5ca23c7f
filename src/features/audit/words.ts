export const auditOutcomes = ['SUCCEEDED', 'REFUSED', 'FAILED'] as const;
export type AuditOutcome = (typeof auditOutcomes)[number];

/** True of a call that did not only read, in SQL. Indexes have it as their condition: they serve those who ask with the same words. */
export const changedOrRefused =
  "NOT (outcome = 'SUCCEEDED' AND (method = 'GET' OR action IN ('checkPolicy', 'provePolicy', 'tryPolicy')))";

export const auditActorKinds = ['operator', 'integration'] as const;
export type AuditActorKind = (typeof auditActorKinds)[number];
