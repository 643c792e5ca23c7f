/** One story for all operations: an agent looks a customer up and then wants to send what it found. */
const ids = {
  integration: '0198c2f0-5b1e-7c3a-9d41-2f6a8e4b7c10',
  policy: '0198c2f0-6a02-7f5d-8b3e-91c4d7a2e6f5',
  session: '0198c2f1-0c77-7a90-b1f2-5d3e8c6a9b04',
  evaluation: '0198c2f1-2e4b-7d18-a6c5-7b9f1e3d5a28',
  review: '0198c2f1-2e4c-7b63-9f80-4c2d6a8e1b39',
  violation: '0198c2f1-2e4d-70a4-8e57-3a1b5c7d9f60',
  operator: '0198c2ef-9d30-7e20-8c11-0d5b7a93e6f2',
  operatorKey: '0198c2ef-9d30-7e21-b4a8-6f8c2e0d4b71',
  auditEntry: '0198c2f1-5a19-7c42-a0e3-9b6d4f8c2e17',
};
const at = '2026-11-22T09:30:00.000Z';
const later = '2026-11-22T09:31:12.408Z';
const tomorrow = '2026-11-23T09:30:00.000Z';

const violation = {
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
const input = { tool: 'email.send', to: 'partner@example.com', body: 'The contact details you asked for' };

const createSession = {
  externalSessionId: 'conversation-4711',
  expiresAt: tomorrow,
  metadata: { agent: 'support', channel: 'chat' },
};
const createdSession = {
  id: ids.session,
  status: 'ACTIVE',
  entityId: null,
  externalSessionId: createSession.externalSessionId,
  startedAt: at,
  expiresAt: tomorrow,
  metadata: createSession.metadata,
};
const counts = { actionCount: 1, dataTags: ['PII', 'EMAIL_ADDRESS'], toolsUsed: ['crm.lookup'] };
const commonSession = {
  ...createdSession,
  endedAt: null,
  ...counts,
  warningCount: 1,
  blockCount: 0,
  reviewCount: 0,
};
const listedSession = { ...commonSession, toolsUsedTotal: 1 };
const recentAction = {
  seq: 1,
  tool: 'crm.lookup',
  targetKey: null,
  dataTags: ['PII', 'EMAIL_ADDRESS'],
  enforcementAction: 'WARN',
  severity: 'LOW',
  at,
};

const evaluation = {
  evaluationRunId: ids.evaluation,
  sessionId: ids.session,
  phase: 'ACTION',
  resultOf: null,
  status: null,
  seq: 2,
  tool: 'email.send',
  targetKey: null,
  targetMetadata: null,
  correlationId: 'step-2',
  outcome: 'DENY',
  enforcementAction: 'APPROVAL_REQUIRED',
  severity: 'HIGH',
  violations: [violation],
  dataTags: ['PII', 'EMAIL_ADDRESS'],
  detections: [{ in: 'input', type: 'EMAIL_ADDRESS', path: '/to', start: 0, end: 19 }],
  reviewRequestId: ids.review,
  input: { ...input, to: '[EMAIL_ADDRESS]' },
  policies: [{ policyId: ids.policy, version: 1 }],
  createdAt: later,
};

const settings = {
  contentRetention: 'redacted',
  reviewInput: 'full',
  detectionSensitivity: 'balanced',
  disabledTags: [],
  enabledTags: [],
  sessionScope: 'client',
  requireSession: false,
  whenNoPolicy: 'ALLOW',
  requestsPerMinute: null,
};
const integration = {
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
const apiKey = `asz_live_${'Qm3x'.padEnd(43, '0')}`;
const webhookSecret = `whsec_${'0'.repeat(43)}=`;
const keyExpiry = { apiKeyExpiresAt: '2027-11-22T09:30:00.000Z' };

const document = `schemaVersion: 1
name: pii-data-flow
rules:
  - id: pii-then-outbound
    when: '"PII" in session.dataTags && tool == "email.send"'
    effect: APPROVAL_REQUIRED
    severity: HIGH
    reason: pii_outbound
    message: personal data was seen in this session, and {{tool}} sends data out
`;
const documentAsJson = {
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
const policySummary = {
  id: ids.policy,
  name: 'pii-data-flow',
  status: 'ACTIVE',
  version: 1,
  latestVersion: 1,
  createdAt: at,
  updatedAt: at,
};
const stored = { mediaType: 'application/yaml', document };
const operatorKey = {
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
const operator = {
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
const auditEntry = {
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
const approval = {
  reviewRequestId: ids.review,
  applied: false,
  reason: 'pending',
  message: 'nobody has decided yet',
};
const callback = {
  status: 'WAITING',
  url: 'https://agent.example/assize',
  attemptCount: 0,
  nextAttemptAt: null,
  deliveredAt: null,
  lastError: null,
};

const review = {
  id: ids.review,
  status: 'PENDING',
  integrationId: ids.integration,
  sessionId: ids.session,
  evaluationRunId: ids.evaluation,
  tool: evaluation.tool,
  targetKey: null,
  targetMetadata: null,
  correlationId: evaluation.correlationId,
  severity: evaluation.severity,
  violations: [violation],
  dataTags: evaluation.dataTags,
  input,
  decidedBy: null,
  comment: null,
  createdAt: later,
  expiresAt: '2026-11-22T09:46:12.408Z',
  decidedAt: null,
  consumedAt: null,
  callback,
};

/** By the name of a component schema, or by operation and media type where a body has no schema. */
export const examples: Readonly<Record<string, unknown>> = {
  ActivatePolicy: { version: 1 },
  Approval: approval,
  AuditEntry: auditEntry,
  ListedAuditEntry: auditEntry,
  'exportAudit response application/x-ndjson': `${JSON.stringify(auditEntry)}\n`,
  ChangeOperator: { roles: ['REVIEWER', 'POLICY_EDITOR'] },
  ChangeIntegration: { settings: { contentRetention: 'none' } },
  CreateEvaluationSession: createSession,
  CreateIntegration: { name: integration.name, kind: integration.kind },
  CreatedEvaluationSession: createdSession,
  CreatedIntegration: { ...integration, apiKey, webhookSecret },
  CreateOperator: {
    name: operator.name,
    email: operator.email,
    roles: operator.roles,
    groups: operator.groups,
  },
  CreateOperatorKey: { operatorId: ids.operator, name: operatorKey.name, ipRanges: operatorKey.ipRanges },
  CurrentOperator: {
    id: operator.id,
    name: operator.name,
    roles: operator.roles,
    groups: operator.groups,
    keyId: ids.operatorKey,
    permissions: ['self:read', 'reviews:read', 'reviews:decide'],
  },
  CreatedOperatorKey: { ...operatorKey, current: false, key: `asz_admin_${'0'.repeat(43)}` },
  DecideReview: {
    comment: 'the partner has a contract',
    evaluationRunId: ids.evaluation,
  },
  Detection: evaluation.detections[0],
  EndEvaluationSession: { status: 'COMPLETED' },
  EndedEvaluationSession: { id: ids.session, status: 'COMPLETED', endedAt: later, ...counts },
  ErrorResponse: {
    success: false,
    statusCode: 400,
    errors: [{ code: 'invalid', message: 'is required', path: '/input' }],
  },
  EvaluateAnswer: {
    evaluationRunId: ids.evaluation,
    outcome: evaluation.outcome,
    enforcementAction: evaluation.enforcementAction,
    severity: evaluation.severity,
    violations: [violation],
    dataTags: evaluation.dataTags,
    sessionId: ids.session,
    reviewRequestId: ids.review,
    pollUrl: `/v1/reviews/${ids.review}`,
    correlationId: evaluation.correlationId,
    policiesEvaluated: 1,
  },
  EvaluateRequest: { input, sessionId: ids.session, correlationId: 'step-2' },
  Evaluation: { ...evaluation, integrationId: ids.integration },
  EvaluationSession: {
    ...commonSession,
    toolCounts: { 'crm.lookup': 1 },
    attemptCounts: { 'crm.lookup': 1 },
    recentActions: [recentAction],
  },
  ListedEvaluation: evaluation,
  ListedIntegration: integration,
  ListedReview: review,
  Health: { status: 'ok' },
  Integration: integration,
  IntegrationSettings: settings,
  IntegrationSettingsChange: { contentRetention: 'none' },
  ListedEvaluationSession: listedSession,
  ListedOperator: { ...operator, keyCount: 1 },
  Operator: { ...operator, keys: [operatorKey] },
  OperatorKey: operatorKey,
  Pagination: { total: 1, page: 1, size: 50 },
  Policy: { ...policySummary, ...stored },
  PolicyBinding: { integrationId: ids.integration, policyId: ids.policy, createdAt: at },
  PolicyCheck: {
    valid: false,
    issues: [
      {
        line: 5,
        column: 12,
        path: '/rules/0/when',
        code: 'unknown_field',
        message: 'session has no field "warningCuont"',
        hint: 'did you mean "warningCount"?',
      },
    ],
    warnings: [],
    tests: [],
  },
  PolicyIssue: { line: 5, column: 12, path: '/rules/0/when', code: 'type', message: 'must be bool' },
  PolicyReference: evaluation.policies[0],
  PolicySummary: policySummary,
  PolicyTestResult: { name: 'mail after personal data waits for a person', passed: true },
  PolicyVersion: {
    version: 1,
    name: policySummary.name,
    author: { id: ids.operator, name: operator.name },
    ...stored,
    current: true,
    createdAt: at,
  },
  RecentAction: recentAction,
  RecordedEvaluation: { ...evaluation, integrationId: ids.integration },
  RegenerateKey: keyExpiry,
  RegeneratedKey: { ...integration, ...keyExpiry, apiKey },
  RegeneratedWebhookSecret: { id: ids.integration, webhookSecret },
  Review: review,
  ReviewCallback: callback,
  Violation: violation,
  'createPolicy application/yaml': document,
  'createPolicy application/json': documentAsJson,
  'updatePolicy application/yaml': document,
  'updatePolicy application/json': documentAsJson,
  'checkPolicy application/yaml': document,
  'checkPolicy application/json': documentAsJson,
  'mcp application/json': { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
};
