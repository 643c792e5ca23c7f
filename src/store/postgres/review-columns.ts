import { eq, type SQL, sql } from 'drizzle-orm';
import { type AnyPgColumn, alias } from 'drizzle-orm/pg-core';
import { isOperator } from '../../sql/postgres/sql.ts';
import type { Db } from './database.ts';
import { anyBytes, narrow, tooWide } from './listed-columns.ts';
import {
  callbacks,
  evaluationSessions,
  evaluations,
  operators,
  reviewContents,
  reviewHandling,
  reviews,
} from './tables.ts';

const { input, targetKey, targetMetadata, violations } = evaluations;
const wide = { input, targetMetadata, violations };
/** In a list: of what the evaluation keeps, masked as the reviewer sees it while the review is PENDING. */
const maskedOr = (held: AnyPgColumn, kept: AnyPgColumn) =>
  sql<
    string | null
  >`CASE WHEN ${reviewContents.isMasked} AND ${kept} IS NOT NULL THEN coalesce(${held}, ${kept}) ELSE ${kept} END`;
const wideInList = {
  input: maskedOr(reviewContents.input, input),
  targetMetadata: maskedOr(reviewContents.targetMetadata, targetMetadata),
  violations,
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
  targetKey: sql<string | null>`${targetKey}`,
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
  endsWithSession: reviews.endsWithSession,
  sessionExpiresAt: evaluationSessions.expiresAt,
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

type Columns = ReturnType<typeof columns>;

const listedColumns = (mostBytes: number): Columns => ({
  ...columns(mostBytes),
  targetKey: maskedOr(reviewContents.targetKey, targetKey),
  targetMetadata: narrow<string>(wideInList.targetMetadata, mostBytes),
  input: narrow<string>(wideInList.input, mostBytes),
  omitted: tooWide(wideInList, mostBytes),
});

export const selectReviews = (db: Db, where: SQL | undefined) => select(db, columns(anyBytes), where);

export const selectListed = (db: Db, where: SQL | undefined, mostBytes: number) =>
  select(db, listedColumns(mostBytes), where).leftJoin(
    reviewContents,
    eq(reviewContents.reviewId, reviews.id),
  );

const select = (db: Db, columns: Columns, where: SQL | undefined) =>
  db
    .select(columns)
    .from(reviews)
    .innerJoin(evaluations, eq(evaluations.id, reviews.evaluationId))
    .leftJoin(evaluationSessions, eq(evaluationSessions.id, reviews.sessionId))
    .leftJoin(callbacks, eq(callbacks.reviewId, reviews.id))
    .leftJoin(operators, isOperator(operators, reviews.decidedBy))
    .leftJoin(reviewHandling, eq(reviewHandling.reviewId, reviews.id))
    .leftJoin(assignees, isOperator(assignees, sql`${reviewHandling.assignee}`))
    .where(where)
    .$dynamic();

export type ReviewRow = Awaited<ReturnType<typeof selectReviews>>[number];
