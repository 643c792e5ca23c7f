import { parseForWriting } from '../json/parse.ts';
import type { Review } from '../schemas/reviews.ts';
import type { JsonObject } from '../schemas/values.ts';
import type { StoredReview } from '../store/store.ts';
import { personOf } from './people.ts';
import { isoTime, isoTimeOrNull } from './times.ts';

/** Who reads one review. */
export interface Reader {
  /** Null reads any integration's: an operator's right. */
  integrationId: string | null;
  /** Whether they may decide it, and so see what is to be approved; everyone else sees what is kept. */
  decides: boolean;
}

/** In a list, what an entry leaves out to fit in its page. */
export const emptyReview = {
  input: null,
  targetMetadata: null,
  violations: [],
  dataTags: [],
  tool: null,
  targetKey: null,
  correlationId: null,
  comment: null,
  callback: null,
} satisfies Partial<Review>;

/** In the form of the Standard Webhooks specification: a type, a time, and the data. It carries no content. */
export function callbackBody(review: StoredReview, at: number): string {
  return JSON.stringify({
    type: review.status === 'CANCELLED' ? 'review.cancelled' : 'review.decided',
    timestamp: isoTime(at),
    data: {
      reviewRequestId: review.id,
      status: review.status,
      comment: review.comment,
      decidedAt: isoTimeOrNull(review.decidedAt),
      expiresAt: isoTime(review.expiresAt),
      evaluationRunId: review.evaluationRunId,
      sessionId: review.sessionId,
      correlationId: review.correlationId,
    },
  });
}

/** As this reader may see it. */
export function responseTo({ integrationId, decides }: Reader, review: StoredReview): Review {
  const { whole, input, targetKey, targetMetadata } = review;
  if (whole === null) return shown(review);
  if (decides) return shown({ ...review, ...whole });
  if (integrationId !== null || !whole.isMasked) return shown(review);
  return shown({
    ...review,
    input: input && whole.input,
    targetKey: targetKey && whole.targetKey,
    targetMetadata: targetMetadata && whole.targetMetadata,
  });
}

const parsed = (text: string | null): JsonObject | null =>
  text === null ? null : (parseForWriting(text) as JsonObject);

export const decidedBy = ({ decidedBy: id, decidedByName }: StoredReview): Review['decidedBy'] =>
  id === null ? null : personOf(id, decidedByName);

/** As an operator reads it. */
export const shown = (review: StoredReview): Review => ({
  id: review.id,
  status: review.status,
  integrationId: review.integrationId,
  sessionId: review.sessionId,
  evaluationRunId: review.evaluationRunId,
  tool: review.tool || null,
  targetKey: review.targetKey,
  targetMetadata: parsed(review.targetMetadata),
  correlationId: review.correlationId,
  cost: review.cost,
  severity: review.severity,
  violations: review.violations,
  dataTags: review.dataTags,
  input: parsed(review.input),
  requires: review.terms.requires.map(({ quorum, from }) => ({ quorum, from: [...from] })),
  notRequester: review.terms.notRequester,
  grants: review.grants.map(({ id, policyId, ruleId, same, seconds, uses, usedCount, expiresAt }) => ({
    id,
    policyId,
    ruleId,
    same: same && [...same],
    seconds,
    uses,
    usedCount,
    expiresAt: isoTimeOrNull(expiresAt),
  })),
  approvals: review.approvals.map((approval) => ({
    by: personOf(approval.operatorId, approval.operatorName),
    comment: approval.comment,
    at: isoTime(approval.createdAt),
  })),
  decidedBy: decidedBy(review),
  comment: review.comment,
  reason: review.reason as Review['reason'],
  assignee: review.assignee === null ? null : personOf(review.assignee, review.assigneeName),
  assignedAt: isoTimeOrNull(review.assignedAt),
  createdAt: isoTime(review.createdAt),
  expiresAt: isoTime(review.expiresAt),
  decidedAt: isoTimeOrNull(review.decidedAt),
  consumedAt: isoTimeOrNull(review.consumedAt),
  callback: callbackResponse(review),
});

function callbackResponse({ callbackUrl: url, callback }: StoredReview): Review['callback'] {
  if (url === null) return null;
  return {
    status: callbackStatus(callback),
    url,
    attemptCount: callback?.attemptCount ?? 0,
    nextAttemptAt: isoTimeOrNull(callback?.nextAttemptAt ?? null),
    deliveredAt: isoTimeOrNull(callback?.deliveredAt ?? null),
    lastError: callback?.lastError ?? null,
  };
}

function callbackStatus(callback: StoredReview['callback']): 'WAITING' | 'PENDING' | 'DELIVERED' | 'FAILED' {
  if (!callback) return 'WAITING';
  if (callback.deliveredAt !== null) return 'DELIVERED';
  return callback.nextAttemptAt === null ? 'FAILED' : 'PENDING';
}
