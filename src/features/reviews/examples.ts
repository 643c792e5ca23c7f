import { evaluation, ids, input, later, violation } from '../../http/openapi/example-story.ts';
import { event } from '../events/examples.ts';

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

const comment = {
  id: '0198c2f1-9b04-7d61-b3e8-4a2c6e8f0d17',
  author: { id: '0198c2ef-9d30-7e20-8c11-0d5b7a93e6f2', name: 'Ada Lovelace' },
  text: 'asked the requester',
  createdAt: '2026-11-22T09:33:00.000Z',
};

const statistics = {
  from: '2026-11-15T09:30:00.000Z',
  reviewCount: 40,
  pendingCount: 1,
  approvedCount: 30,
  rejectedCount: 6,
  cancelledCount: 0,
  expiredCount: 3,
  expiredUnseenCount: 1,
  timeToDecisionMs: { p50: 95_000, p90: 420_000, max: 840_000 },
};

export const reviewExamples: Readonly<Record<string, unknown>> = {
  Approval: approval,
  ApproveReview: { comment: 'for this one', once: true, evaluationRunId: ids.evaluation },
  DecideReview: {
    comment: 'the partner has a contract',
    evaluationRunId: ids.evaluation,
  },
  ListedReview: review,
  ReadReview: review,
  Review: review,
  ReviewCallback: callback,
  CommentReview: { text: 'asked the requester' },
  ExtendReview: { minutes: 30 },
  DecideReviews: { ids: [event.data.reviewRequestId], decision: 'APPROVE', reason: 'EXPECTED' },
  BulkDecision: { id: event.data.reviewRequestId, decided: true, status: 'APPROVED', error: null },
  ReviewComment: comment,
  ReviewStatistics: statistics,
};
