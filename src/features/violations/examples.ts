import { at, ids, later, violation } from '../../http/openapi/example-story.ts';
import { operator } from '../operators/examples.ts';

const handled = { type: 'AGENT_CHANGED', note: 'the prompt names the right tool now' };

const dismissed = { reason: 'FALSE_POSITIVE', note: 'a test account' };

export const violationExamples: Readonly<Record<string, unknown>> = {
  AcknowledgeViolation: { note: 'I look into it' },
  DismissViolation: dismissed,
  DismissalReason: dismissed.reason,
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
  ResolutionType: handled.type,
  ResolveViolation: handled,
  RuleViolations: {
    policyId: ids.policy,
    ruleId: 'pii-then-outbound',
    acknowledgedCount: 1,
    resolvedCount: 6,
    dismissedCount: 4,
    falsePositiveCount: 3,
    falsePositiveRate: 0.3,
  },
  ViolationStatus: 'NEW',
  Violation: violation,
};
