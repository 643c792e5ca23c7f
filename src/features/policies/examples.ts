import { at, evaluation, explanation, ids, later, violation } from '../../http/openapi/example-story.ts';
import { operator } from '../operators/examples.ts';

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

const counterStart = { name: 'paid', counts: 'KEPT_CONTENT' };

const stored = { mediaType: 'application/yaml', document };

const { id: _id, policyId: _policyId, policyVersion: _version, ...triedViolation } = violation;

const explainedRule = {
  ...explanation.policies[0]?.rules[0],
  when: documentAsJson.rules[0]?.when,
  reads: [
    { path: 'session.dataTags', value: ['PII'], why: null, actions: [] },
    { path: 'tool', value: 'email.send', why: null, actions: [] },
  ],
};

const policyDifference = {
  given: { tool: 'email.send', session: { dataTags: ['PII'] } },
  before: 'ALLOW',
  after: 'APPROVAL_REQUIRED',
};

const policyComparison = { verdict: 'STRICTER', stricter: policyDifference, laxer: null, notModelled: [] };

const provedProperty = {
  name: 'no personal data is sent without a person',
  line: 10,
  column: 5,
  verdict: 'PROVED',
  given: null,
  steps: null,
  enforcementAction: null,
  notModelled: [],
};

const bindingTerms = { params: { maxCalls: 20 }, mode: null, createdAt: at, updatedAt: at };

const binding = { integrationId: ids.integration, policyId: ids.policy, ...bindingTerms };

const policyChange = {
  part: 'RULE',
  name: 'budget',
  change: 'CHANGED',
  before: { severity: 'LOW' },
  after: { severity: 'HIGH' },
};

export const policyExamples: Readonly<Record<string, unknown>> = {
  BindPolicy: { params: { maxCalls: 20 }, mode: 'MONITOR' },
  BoundPolicy: { ...policySummary, binding },
  HousePolicy: { policyId: ids.policy, ...bindingTerms, policy: policySummary },
  PolicyBinding: binding,
  PolicyChange: policyChange,
  PolicyDiff: {
    policyId: ids.policy,
    from: 1,
    to: 2,
    changes: [policyChange],
    text: `--- ${policySummary.name} version 1\n+++ ${policySummary.name} version 2\n@@ -4,2 +4,2 @@\n   - id: budget\n-    severity: LOW\n+    severity: HIGH\n`,
  },
  SchedulePolicy: { version: 2, at: later },
  TryPolicy: { document, given: { tool: 'email.send', session: { dataTags: ['PII'] } } },
  ExplainedRule: explainedRule,
  TriedPolicy: {
    issues: [],
    decision: {
      outcome: 'DENY',
      enforcementAction: 'APPROVAL_REQUIRED',
      severity: 'HIGH',
      violations: [triedViolation],
      labels: [],
      dataTags: [],
      rules: [explainedRule],
    },
  },
  PolicyDifference: policyDifference,
  PolicyComparison: policyComparison,
  ProvedProperty: provedProperty,
  PolicyProof: { monitored: false, rules: [], properties: [provedProperty], comparison: policyComparison },
  SimulationRequest: {
    bindings: [{ policyId: ids.policy, integrationId: ids.integration, params: { maxCalls: 20 } }],
    filter: { from: at },
  },
  'simulatePolicies response application/x-ndjson': `${JSON.stringify({ type: 'progress', evaluations: 250_000, total: 1_000_000 })}\n`,
  ActivatedPolicy: { ...policySummary, counters: [counterStart] },
  ActivatePolicy: { version: 1 },
  CounterStart: counterStart,
  Policy: { ...policySummary, ...stored },
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
  ListedPolicy: {
    ...policySummary,
    mode: 'ENFORCE',
    houseMode: null,
    enforcedCount: 3,
    monitoredCount: 1,
    changedBy: { id: ids.operator, name: operator.name },
  },
  PolicyTestResult: { name: 'mail after personal data waits for a person', line: 14, passed: true },
  PolicyVersion: {
    version: 1,
    name: policySummary.name,
    author: { id: ids.operator, name: operator.name },
    note: 'the first one',
    ...stored,
    current: true,
    createdAt: at,
  },
  SavedPolicy: { ...policySummary, ...stored, warnings: [] },
  'createPolicy application/yaml': document,
  'createPolicy application/json': documentAsJson,
  'updatePolicy application/yaml': document,
  'updatePolicy application/json': documentAsJson,
  'checkPolicy application/yaml': document,
  'checkPolicy application/json': documentAsJson,
  'provePolicy application/yaml': document,
  'provePolicy application/json': documentAsJson,
};
