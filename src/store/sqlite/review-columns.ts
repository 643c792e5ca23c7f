import { eq, type SQL, sql } from 'drizzle-orm';
import { type AnySQLiteColumn, alias } from 'drizzle-orm/sqlite-core';
import type { Sqlite } from './database.ts';
import { narrow, tooWide } from './listed-columns.ts';
import {
  callbacks,
  evaluationSessions,
  evaluations,
  integrations,
  operators,
  reviewContents,
  reviewHandling,
  reviews,
} from './tables.ts';

const { input, targetKey, targetMetadata, violations } = evaluations;
const wide = { input, targetMetadata, violations };
/** In a list: of what the evaluation keeps, masked as the reviewer sees it while the review is PENDING. */
const maskedOr = (held: AnySQLiteColumn, kept: AnySQLiteColumn) =>
  sql<
    string | null
  >`iif(${reviewContents.isMasked} = 1 AND ${kept} IS NOT NULL, coalesce(${held}, ${kept}), ${kept})`;
const wideInList = {
  input: maskedOr(reviewContents.input, input),
  targetMetadata: maskedOr(reviewContents.targetMetadata, targetMetadata),
  violations,
};
const mostBytes = sql`${sql.placeholder('mostBytes')}`;
/** As often as the columns ask for it: for each wide text itself, and for whether it is left out. */
export const times = <T>(value: T): T[] => Array<T>(2 * Object.keys(wide).length).fill(value);

const assignees = alias(operators, 'assignees');
export const columns = {
  row: reviews.id,
  id: reviews.uid,
  status: reviews.status,
  integrationId: integrations.id,
  sessionId: evaluationSessions.uid,
  evaluationRunId: evaluations.uid,
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
  approvals: sql<string>`(SELECT json_group_array(json_object('operatorId', a.operator_id, 'operatorName', o.name,
    'comment', a.comment, 'createdAt', a.created_at) ORDER BY a.created_at, a.rowid)
    FROM review_approvals a LEFT JOIN operators o ON o.id = a.operator_id WHERE a.review_id = ${reviews.id})`,
  offers: reviews.grants,
  granted: sql<string>`(SELECT json_group_array(json_object('expiresAt', g.expires_at, 'offer', json(g.offer),
    'usedCount', (SELECT count(*) FROM grant_uses u WHERE u.grant_id = g.id)) ORDER BY g.id)
    FROM grants g WHERE g.review_id = ${reviews.id})`,
  attemptCount: callbacks.attemptCount,
  nextAttemptAt: callbacks.nextAttemptAt,
  deliveredAt: callbacks.deliveredAt,
  lastError: callbacks.lastError,
  omitted: tooWide(wide, mostBytes),
};

export const listedColumns: typeof columns = {
  ...columns,
  targetKey: maskedOr(reviewContents.targetKey, targetKey),
  targetMetadata: narrow<string>(wideInList.targetMetadata, mostBytes),
  input: narrow<string>(wideInList.input, mostBytes),
  omitted: tooWide(wideInList, mostBytes),
};

export const selectReviews = (db: Sqlite['db'], where: SQL | undefined) => select(db, columns, where);

export const selectListed = (db: Sqlite['db'], where: SQL | undefined) =>
  select(db, listedColumns, where).leftJoin(reviewContents, eq(reviewContents.reviewId, reviews.id));

const select = (db: Sqlite['db'], columns: typeof listedColumns, where: SQL | undefined) =>
  db
    .select(columns)
    .from(reviews)
    .innerJoin(integrations, eq(integrations.row, reviews.integrationId))
    .innerJoin(evaluations, eq(evaluations.id, reviews.evaluationId))
    .leftJoin(evaluationSessions, eq(evaluationSessions.id, reviews.sessionId))
    .leftJoin(callbacks, eq(callbacks.reviewId, reviews.id))
    .leftJoin(operators, eq(operators.id, reviews.decidedBy))
    .leftJoin(reviewHandling, eq(reviewHandling.reviewId, reviews.id))
    .leftJoin(assignees, eq(assignees.id, reviewHandling.assignee))
    .where(where)
    .$dynamic();

export type ReviewRow = ReturnType<ReturnType<typeof selectReviews>['all']>[number];
