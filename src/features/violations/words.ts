export const violationStatuses = ['NEW', 'ACKNOWLEDGED', 'RESOLVED', 'DISMISSED'] as const;

export const resolutionTypes = [
  'AGENT_CHANGED',
  'POLICY_CHANGED',
  'ACCESS_REVOKED',
  'INCIDENT',
  'ACCEPTED',
  'OTHER',
] as const;

export const dismissalReasons = ['FALSE_POSITIVE', 'DUPLICATE', 'TEST', 'OTHER'] as const;
