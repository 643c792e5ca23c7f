import { apiKey, integration, operator } from './example-management.ts';
import { at, ids, later, violation } from './example-story.ts';

const entity = {
  id: ids.session,
  name: 'Support agent, night shift',
  kind: 'AGENT',
  owner: 'support@example.com',
  metadata: { costCentre: 4711 },
  createdAt: at,
  updatedAt: at,
};
const { createdAt: _, updatedAt: __, ...registered } = entity;
const entityCounter = {
  integrationId: ids.integration,
  integrationName: integration.name,
  policyId: ids.policy,
  policyName: 'refund-limits',
  name: 'refunds',
  window: '24h',
  splitBy: null,
  value: 300,
  keyCount: null,
  why: null,
};
const handled = { type: 'AGENT_CHANGED', note: 'the prompt names the right tool now' };
const dismissed = { reason: 'FALSE_POSITIVE', note: 'a test account' };

const integrationKey = {
  id: '0198c2f2-41aa-7e6b-8c0d-5f2b9d7e1a34',
  integrationId: ids.integration,
  name: 'production',
  lastFour: apiKey.slice(-4),
  scopes: ['evaluate', 'sessions:open'],
  createdAt: later,
  lastUsedAt: null,
  expiresAt: null,
  revokedAt: null,
};

/** The keys of integrations, violations as operators handle them, governed entities, and searches. */
export const oversightExamples: Readonly<Record<string, unknown>> = {
  AcknowledgeViolation: { note: 'I look into it' },
  ChangeEntity: { owner: entity.owner },
  CreateIntegrationKey: { name: integrationKey.name, scopes: integrationKey.scopes },
  CreatedIntegrationKey: { ...integrationKey, apiKey },
  DismissViolation: dismissed,
  DismissalReason: dismissed.reason,
  Entity: {
    ...entity,
    sessionCount: 12,
    violationCounts: { NEW: 1, ACKNOWLEDGED: 0, RESOLVED: 2, DISMISSED: 1 },
    counters: [entityCounter],
  },
  EntityCounter: entityCounter,
  EntityKind: entity.kind,
  IntegrationKey: integrationKey,
  ListedEntity: entity,
  RecordedViolation: {
    ...violation,
    evaluationRunId: ids.evaluation,
    integrationId: ids.integration,
    sessionId: ids.session,
    entityId: null,
    tool: 'email.send',
    status: 'RESOLVED',
    resolution: handled.type,
    dismissal: null,
    note: handled.note,
    triagedBy: { id: ids.operator, name: operator.name },
    triagedAt: later,
    createdAt: at,
  },
  RegisterEntity: registered,
  ResolutionType: handled.type,
  ResolveViolation: handled,
  RotateIntegrationKey: { overlapHours: 24 },
  RotatedIntegrationKey: {
    ...integrationKey,
    apiKey,
    replaces: {
      ...integrationKey,
      id: '0198c2f0-7d13-7b52-9e4f-1c6a8f3b2d05',
      lastFour: 'Zq0w',
      createdAt: at,
      lastUsedAt: later,
      expiresAt: later,
    },
  },
  RuleViolations: {
    policyId: ids.policy,
    ruleId: 'pii-then-outbound',
    acknowledgedCount: 1,
    resolvedCount: 6,
    dismissedCount: 4,
    falsePositiveCount: 3,
    falsePositiveRate: 0.3,
  },
  SearchPagination: { total: 51, totalIsExact: false, next: ids.evaluation, page: 1, size: 50 },
  ViolationStatus: 'NEW',
};
