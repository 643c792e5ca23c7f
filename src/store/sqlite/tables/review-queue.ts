import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { reviews } from './reviews.ts';

/** What operators do with a review before they decide it. There is no row before the first thing. */
export const reviewHandling = sqliteTable(
  'review_handling',
  {
    reviewId: integer()
      .primaryKey()
      .references(() => reviews.id),
    /** The id of an operator. */
    assignee: text(),
    assignedAt: integer(),
    /** When somebody who may decide it read it first. */
    seenAt: integer(),
    /** Its expiry was put off by an operator: trying the action again does not bring it forward. */
    extendedAt: integer(),
    remindedAt: integer(),
    /** One of the preset reasons. */
    reason: text(),
  },
  (table) => [index('review_handling_by_assignee').on(table.assignee)],
);

export const reviewComments = sqliteTable(
  'review_comments',
  {
    id: integer().primaryKey(),
    uid: text().notNull().unique(),
    reviewId: integer()
      .notNull()
      .references(() => reviews.id),
    author: text().notNull(),
    text: text().notNull(),
    createdAt: integer().notNull(),
  },
  (table) => [index('review_comments_by_review').on(table.reviewId, table.id)],
);
