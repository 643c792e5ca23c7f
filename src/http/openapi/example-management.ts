// What operators manage in the story of the examples.

import { at, ids, later } from './example-story.ts';

export const settings = {
  contentRetention: 'redacted',
  reviewInput: 'full',
  detectionSensitivity: 'balanced',
  disabledTags: [],
  enabledTags: [],
  sessionScope: 'client',
  requireSession: false,
  whenNoPolicy: 'ALLOW',
  unknownTools: 'ALLOW',
  onSchemaMismatch: 'BLOCK',
  delegatesTo: [],
  afterRejection: 'BLOCK' as const,
  maxPendingReviews: 1_000,
  maxPendingReviewsInSession: 20,
  maxOpenSessions: 10_000,
  maxBytesPerDay: null,
  requestsPerMinute: null,
};
export const integration = {
  id: ids.integration,
  name: 'support agent',
  kind: 'AGENT',
  description: null,
  settings,
  apiKeyPrefix: 'asz_live_Qm3x',
  apiKeyExpiresAt: null,
  createdAt: at,
  updatedAt: at,
  status: 'ACTIVE',
  deletedAt: null,
};
export const unprotected = {
  code: 'no_policy_bound',
  message: 'no policy is bound: everything is allowed',
};
export const apiKey = `asz_live_${'Qm3x'.padEnd(43, '0')}`;
export const webhookSecret = `whsec_${'0'.repeat(43)}=`;
export const keyExpiry = { apiKeyExpiresAt: '2027-11-22T09:30:00.000Z' };

export const document = `schemaVersion: 1
name: pii-data-flow
rules:
  - id: pii-then-outbound
    when: '"PII" in session.dataTags && tool == "email.send"'
    effect: APPROVAL_REQUIRED
    severity: HIGH
    reason: pii_outbound
    message: personal data was seen in this session, and {{tool}} sends data out
`;
export const documentAsJson = {
  schemaVersion: 1,
  name: 'pii-data-flow',
  rules: [
    {
      id: 'pii-then-outbound',
      when: '"PII" in session.dataTags && tool == "email.send"',
      effect: 'APPROVAL_REQUIRED',
      severity: 'HIGH',
    },
  ],
};
export const policySummary = {
  id: ids.policy,
  name: 'pii-data-flow',
  status: 'ACTIVE',
  version: 1,
  latestVersion: 1,
  scheduledVersion: null,
  scheduledAt: null,
  revision: 1,
  createdAt: at,
  updatedAt: at,
};
export const counterStart = { name: 'paid', counts: 'KEPT_CONTENT' };
export const stored = { mediaType: 'application/yaml', document };
export const operatorKey = {
  id: ids.operatorKey,
  operatorId: ids.operator,
  name: 'laptop',
  lastFour: 'k3Qw',
  current: true,
  createdAt: at,
  lastUsedAt: later,
  expiresAt: null,
  ipRanges: ['203.0.113.0/24'],
  revokedAt: null,
};
export const operator = {
  id: ids.operator,
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  status: 'ACTIVE',
  roles: ['REVIEWER'],
  groups: ['payments'],
  entityId: null,
  createdAt: at,
  updatedAt: at,
};
export const auditEntry = {
  id: ids.auditEntry,
  at: later,
  actor: { kind: 'operator', id: ids.operator, name: operator.name, keyId: ids.operatorKey },
  action: 'activatePolicy',
  resource: 'policies',
  resourceId: ids.policy,
  outcome: 'SUCCEEDED',
  statusCode: 200,
  message: null,
  method: 'POST',
  path: `/v1/policies/${ids.policy}/activate`,
  address: '203.0.113.7',
  requestId: 'e3f0a1c2-7b64-4d0e-9a55-2c1f8d6b7e90',
  before: { ...policySummary, status: 'DRAFT' },
  after: policySummary,
};
