/** One story for all operations: an agent looks a customer up and then wants to send what it found. */
export const ids = {
  integration: '0198c2f0-5b1e-7c3a-9d41-2f6a8e4b7c10',
  policy: '0198c2f0-6a02-7f5d-8b3e-91c4d7a2e6f5',
  session: '0198c2f1-0c77-7a90-b1f2-5d3e8c6a9b04',
  evaluation: '0198c2f1-2e4b-7d18-a6c5-7b9f1e3d5a28',
  review: '0198c2f1-2e4c-7b63-9f80-4c2d6a8e1b39',
  grant: '0198c2f1-2e4e-7f31-8c02-5e9a1d7b3f64',
  violation: '0198c2f1-2e4d-70a4-8e57-3a1b5c7d9f60',
  operator: '0198c2ef-9d30-7e20-8c11-0d5b7a93e6f2',
  operatorKey: '0198c2ef-9d30-7e21-b4a8-6f8c2e0d4b71',
  auditEntry: '0198c2f1-5a19-7c42-a0e3-9b6d4f8c2e17',
};
export const at = '2026-11-22T09:30:00.000Z';
export const later = '2026-11-22T09:31:12.408Z';
export const tomorrow = '2026-11-23T09:30:00.000Z';

export const violation = {
  id: ids.violation,
  ruleId: 'pii-then-outbound',
  ruleName: 'pii-then-outbound',
  policyId: ids.policy,
  policyName: 'pii-data-flow',
  policyVersion: 1,
  mode: 'ENFORCE',
  severity: 'HIGH',
  enforcementAction: 'APPROVAL_REQUIRED',
  reason: 'pii_outbound',
  message: 'personal data was seen in this session, and email.send sends data out',
};
export const input = {
  tool: 'email.send',
  to: 'partner@example.com',
  body: 'The contact details you asked for',
};

export const createSession = {
  externalSessionId: 'conversation-4711',
  expiresAt: tomorrow,
  metadata: { agent: 'support', channel: 'chat' },
};
export const createdSession = {
  id: ids.session,
  status: 'ACTIVE',
  entityId: null,
  externalSessionId: createSession.externalSessionId,
  parentSessionId: null,
  rootSessionId: ids.session,
  depth: 0,
  previousSessionId: null,
  startedAt: at,
  expiresAt: tomorrow,
  metadata: createSession.metadata,
};
export const counts = { actionCount: 1, dataTags: ['PII', 'EMAIL_ADDRESS'], toolsUsed: ['crm.lookup'] };
export const commonSession = {
  ...createdSession,
  integrationId: ids.integration,
  endedAt: null,
  ...counts,
  labels: [],
  warningCount: 1,
  blockCount: 0,
  reviewCount: 0,
  rejectionCount: 0,
};
export const listedSession = { ...commonSession, toolsUsedTotal: 1 };
export const recentAction = {
  seq: 1,
  tool: 'crm.lookup',
  targetKey: null,
  dataTags: ['PII', 'EMAIL_ADDRESS'],
  enforcementAction: 'WARN',
  severity: 'LOW',
  rules: ['customer-data'],
  reasons: ['customer_data'],
  labels: [],
  repeats: null,
  at,
};

export const evaluation = {
  evaluationRunId: ids.evaluation,
  sessionId: ids.session,
  phase: 'ACTION',
  resultOf: null,
  status: null,
  cost: { usd: 0.02 },
  identity: null,
  seq: 2,
  tool: 'email.send',
  targetKey: null,
  targetMetadata: null,
  correlationId: 'step-2',
  traceId: null,
  outcome: 'DENY',
  enforcementAction: 'APPROVAL_REQUIRED',
  severity: 'HIGH',
  violations: [violation],
  dataTags: ['PII', 'EMAIL_ADDRESS'],
  labels: [],
  detections: [{ in: 'input', type: 'EMAIL_ADDRESS', path: '/to', start: 0, end: 19 }],
  reviewRequestId: ids.review,
  input: { ...input, to: '[EMAIL_ADDRESS]' },
  policies: [{ policyId: ids.policy, version: 1 }],
  createdAt: later,
};

export const explanation = {
  text: 'The action email.send, action 2 of its session, got APPROVAL_REQUIRED. The rule "pii-then-outbound" of pii-data-flow (version 1) matched: session.dataTags is ["PII","EMAIL_ADDRESS"] (action 1).',
  policies: [
    {
      policyId: ids.policy,
      policyName: 'pii-data-flow',
      version: 1,
      mode: 'ENFORCE',
      rules: [
        {
          ruleId: 'pii-then-outbound',
          ruleName: 'pii-then-outbound',
          when: '"PII" in session.dataTags',
          result: 'MATCHED',
          reads: [{ path: 'session.dataTags', value: ['PII', 'EMAIL_ADDRESS'], why: null, actions: [1] }],
          raisedFrom: null,
          strengthenedFrom: null,
          strengthenedBy: null,
          escalatedBy: [],
        },
      ],
    },
  ],
  grants: [],
  review: null,
};

export const approval = {
  reviewRequestId: ids.review,
  applied: false,
  reason: 'pending',
  message: 'nobody has decided yet',
};
export const callback = {
  status: 'WAITING',
  url: 'https://agent.example/assize',
  attemptCount: 0,
  nextAttemptAt: null,
  deliveredAt: null,
  lastError: null,
};

export const review = {
  id: ids.review,
  status: 'PENDING',
  integrationId: ids.integration,
  sessionId: ids.session,
  evaluationRunId: ids.evaluation,
  tool: evaluation.tool,
  targetKey: null,
  targetMetadata: null,
  correlationId: evaluation.correlationId,
  cost: evaluation.cost,
  identity: null,
  severity: evaluation.severity,
  violations: [violation],
  dataTags: evaluation.dataTags,
  input,
  requires: [{ quorum: 1, from: [] }],
  notRequester: false,
  grants: [
    {
      id: ids.grant,
      policyId: ids.policy,
      ruleId: violation.ruleId,
      same: ['tool', 'input.to'],
      seconds: 3_600,
      uses: 5,
      usedCount: 0,
      expiresAt: null,
    },
  ],
  approvals: [],
  decidedBy: null,
  comment: null,
  reason: null,
  assignee: { id: '0198c2ef-9d30-7e20-8c11-0d5b7a93e6f2', name: 'Ada Lovelace' },
  assignedAt: '2026-11-22T09:32:00.000Z',
  createdAt: later,
  expiresAt: '2026-11-22T09:46:12.408Z',
  decidedAt: null,
  consumedAt: null,
  callback,
};

// The resources that operators manage in the story of the examples.

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
  identity: null,
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
