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

export const counts = { actionCount: 1, dataTags: ['PII', 'EMAIL_ADDRESS'], toolsUsed: ['crm.lookup'] };

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

export const counterReading = {
  policyId: ids.policy,
  policyName: 'refund-limits',
  mode: 'ENFORCE',
  name: 'refunds',
  window: '24h',
  splitBy: null,
  value: 300,
  keyCount: null,
  why: null,
  limits: [{ ruleId: 'large-refunds', effect: 'APPROVAL_REQUIRED', comparison: '>', value: 500 }],
};
