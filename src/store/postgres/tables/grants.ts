import { bigint, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { reviews } from './reviews.ts';

/** What approvals let later actions of their sessions do. */
export const grants = pgTable(
  'grants',
  {
    id: uuid().primaryKey(),
    reviewId: uuid()
      .notNull()
      .references(() => reviews.id),
    sessionId: uuid().notNull(),
    /** Among those of its review, from 0. */
    place: integer().notNull(),
    /** JSON: `GrantOffer`. */
    offer: text().notNull(),
    /** JSON list: the data tags of the approved action. */
    dataTags: text().notNull(),
    /** Null for any number. */
    usesLeft: integer(),
    createdAt: bigint({ mode: 'number' }).notNull(),
    /** Null for as long as the session. */
    expiresAt: bigint({ mode: 'number' }),
    /** When it was taken back. */
    closedAt: bigint({ mode: 'number' }),
  },
  (table) => [index('grants_by_session').on(table.sessionId), index('grants_by_review').on(table.reviewId)],
);

/** The evaluations that grants let through. */
export const grantUses = pgTable(
  'grant_uses',
  {
    evaluationId: uuid().notNull(),
    grantId: uuid()
      .notNull()
      .references(() => grants.id),
  },
  (table) => [
    primaryKey({ columns: [table.evaluationId, table.grantId] }),
    index('grant_uses_by_grant').on(table.grantId),
  ],
);
