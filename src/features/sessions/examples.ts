import {
  at,
  counterReading,
  counts,
  evaluation,
  ids,
  later,
  tomorrow,
  violation,
} from '../../http/openapi/example-story.ts';

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
  parentSessionId: null,
  rootSessionId: ids.session,
  depth: 0,
  previousSessionId: null,
  startedAt: at,
  expiresAt: tomorrow,
  metadata: createSession.metadata,
};

const commonSession = {
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

const listedSession = { ...commonSession, toolsUsedTotal: 1 };

const recentAction = {
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

const sessionCounter = { over: 'session', ...counterReading };

export const sessionExamples: Readonly<Record<string, unknown>> = {
  CreateEvaluationSession: createSession,
  CreatedEvaluationSession: createdSession,
  EndEvaluationSession: { status: 'COMPLETED' },
  EndedEvaluationSession: { id: ids.session, status: 'COMPLETED', endedAt: later, ...counts },
  EvaluationSession: {
    ...commonSession,
    toolCounts: { 'crm.lookup': 1 },
    attemptCounts: { 'crm.lookup': 1 },
    grants: [
      {
        id: ids.grant,
        reviewRequestId: ids.review,
        policyId: ids.policy,
        ruleId: violation.ruleId,
        tool: evaluation.tool,
        usesLeft: 4,
        expiresAt: tomorrow,
      },
    ],
    recentActions: [recentAction],
    counters: [sessionCounter],
  },
  ListedEvaluationSession: listedSession,
  RecentAction: recentAction,
  RemoveGrant: { grantId: ids.grant },
  RemoveLabel: { label: 'UNTRUSTED' },
  SessionCounter: sessionCounter,
};
