import { eq, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Db } from './database.ts';
import { anyBytes, narrow, tooWide } from './listed-columns.ts';
import { isOperator } from './operator-rows.ts';
import { callbacks, evaluations, operators, reviewHandling, reviews } from './tables.ts';

const wide = {
  input: evaluations.input,
  targetMetadata: evaluations.targetMetadata,
  violations: evaluations.violations,
};
const assignees = alias(operators, 'assignees');

const columns = (mostBytes: number) => ({
  id: reviews.id,
  status: reviews.status,
  integrationId: reviews.integrationId,
  sessionId: reviews.sessionId,
  evaluationRunId: reviews.evaluationId,
  tool: reviews.tool,
  inputHash: reviews.inputHash,
  shownTool: reviews.shownTool,
  targetKey: evaluations.targetKey,
  targetMetadata: narrow<string>(wide.targetMetadata, mostBytes),
  correlationId: evaluations.correlationId,
  cost: evaluations.cost,
  severity: evaluations.severity,
  violations: narrow<string>(wide.violations, mostBytes),
  dataTags: evaluations.dataTags,
  input: narrow<string>(wide.input, mostBytes),
  decidedBy: reviews.decidedBy,
  decidedByName: operators.name,
  comment: reviews.comment,
  reason: reviewHandling.reason,
  assignee: reviewHandling.assignee,
  assigneeName: assignees.name,
  assignedAt: reviewHandling.assignedAt,
  seenAt: reviewHandling.seenAt,
  createdAt: reviews.createdAt,
  expiresAt: reviews.expiresAt,
  expirySeconds: reviews.expirySeconds,
  decidedAt: reviews.decidedAt,
  consumedAt: reviews.consumedAt,
  callbackUrl: reviews.callbackUrl,
  terms: reviews.terms,
  approvals: sql<string>`coalesce((SELECT json_agg(json_build_object('operatorId', a.operator_id, 'operatorName', o.name,
    'comment', a.comment, 'createdAt', a.created_at) ORDER BY a.created_at, a.operator_id)
    FROM review_approvals a LEFT JOIN operators o ON o.id::text = a.operator_id
    WHERE a.review_id = ${reviews.id})::text, '[]')`,
  offers: reviews.grants,
  granted: sql<string>`coalesce((SELECT json_agg(json_build_object('expiresAt', g.expires_at, 'offer', g.offer::json,
    'usedCount', (SELECT count(*) FROM grant_uses u WHERE u.grant_id = g.id)) ORDER BY g.place)
    FROM grants g WHERE g.review_id = ${reviews.id})::text, '[]')`,
  attemptCount: callbacks.attemptCount,
  nextAttemptAt: callbacks.nextAttemptAt,
  deliveredAt: callbacks.deliveredAt,
  lastError: callbacks.lastError,
  omitted: tooWide(wide, mostBytes),
});

export const selectReviews = (db: Db, where: SQL | undefined, mostBytes = anyBytes) =>
  db
    .select(columns(mostBytes))
    .from(reviews)
    .innerJoin(evaluations, eq(evaluations.id, reviews.evaluationId))
    .leftJoin(callbacks, eq(callbacks.reviewId, reviews.id))
    .leftJoin(operators, isOperator(operators, reviews.decidedBy))
    .leftJoin(reviewHandling, eq(reviewHandling.reviewId, reviews.id))
    .leftJoin(assignees, isOperator(assignees, sql`${reviewHandling.assignee}`))
    .where(where)
    .$dynamic();

export type ReviewRow = Awaited<ReturnType<typeof selectReviews>>[number];
