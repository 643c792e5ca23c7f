import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { Columns } from '../../sql/sqlite/columns.ts';

/** The tables of a review's parts, each below the key of its row. `reviews`: the table of the same database. */
export function reviewTables(
  { table, rowKey, rowId, text, integer, time, bit, index, primaryKey }: Columns,
  reviews: { id: AnySQLiteColumn },
) {
  const reviewId = () => rowId().references(() => reviews.id);

  /** The approvals of a review, of which it may take several. */
  const reviewApprovals = table(
    'review_approvals',
    {
      reviewId: reviewId().notNull(),
      operatorId: text().notNull(),
      /** JSON list: the groups of the operator then. */
      groups: text().notNull(),
      /** The findings that the operator saw. */
      findings: text().notNull(),
      comment: text(),
      createdAt: time().notNull(),
      /** Whether the decision is for this action alone, without the grants. */
      once: bit(),
    },
    (row) => [primaryKey({ columns: [row.reviewId, row.operatorId] })],
  );

  /** Content that is stored only while a review is PENDING or its callback is on its way. */
  const reviewContents = table(
    'review_contents',
    {
      reviewId: reviewId().primaryKey(),
      input: text(),
      targetKey: text(),
      targetMetadata: text(),
      callbackUrl: text(),
      /** Detected values are masked, and operators see this in place of what the evaluation keeps. */
      isMasked: bit(),
      /** JSON list: what counters count when it is rejected (`RejectionCount`); null for nothing. */
      rejectionCounts: text(),
      /** When a PENDING review expires; null once it is decided, and only the callback is left to do. */
      forgetAt: time(),
    },
    (row) => [index('review_contents_by_expiry').on(row.forgetAt)],
  );

  const callbacks = table(
    'callbacks',
    {
      ...rowKey(),
      reviewId: reviewId().notNull().unique(),
      body: text().notNull(),
      attemptCount: integer().notNull(),
      nextAttemptAt: time(),
      deliveredAt: time(),
      lastError: text(),
    },
    (row) => [index('callbacks_due').on(row.nextAttemptAt)],
  );

  /** The operators' handling of a review before they decide it. There is no row before the first step. */
  const reviewHandling = table(
    'review_handling',
    {
      reviewId: reviewId().primaryKey(),
      /** The id of an operator. */
      assignee: text(),
      assignedAt: time(),
      /** When somebody who may decide it read it first. */
      seenAt: time(),
      /** Its expiry was put off by an operator: trying the action again does not bring it forward. */
      extendedAt: time(),
      remindedAt: time(),
      /** One of the preset reasons. */
      reason: text(),
    },
    (row) => [index('review_handling_by_assignee').on(row.assignee)],
  );

  const reviewComments = table(
    'review_comments',
    {
      ...rowKey(),
      reviewId: reviewId().notNull(),
      author: text().notNull(),
      text: text().notNull(),
      createdAt: time().notNull(),
    },
    (row) => [index('review_comments_by_review').on(row.reviewId, row.createdAt, row.id)],
  );

  return { callbacks, reviewApprovals, reviewComments, reviewContents, reviewHandling };
}
