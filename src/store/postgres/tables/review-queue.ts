import { bigint, index, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { reviews } from './reviews.ts';

const time = () => bigint({ mode: 'number' });

/** What operators do with a review before they decide it. There is no row before the first thing. */
export const reviewHandling = pgTable(
  'review_handling',
  {
    reviewId: uuid()
      .primaryKey()
      .references(() => reviews.id),
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
  (table) => [index('review_handling_by_assignee').on(table.assignee)],
);

export const reviewComments = pgTable(
  'review_comments',
  {
    id: uuid().primaryKey(),
    reviewId: uuid()
      .notNull()
      .references(() => reviews.id),
    author: text().notNull(),
    text: text().notNull(),
    createdAt: time().notNull(),
  },
  (table) => [index('review_comments_by_review').on(table.reviewId, table.createdAt, table.id)],
);
