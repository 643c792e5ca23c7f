import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { evaluationSessions } from './evaluation-sessions.ts';
import { evaluations } from './evaluations.ts';
import { reviews } from './reviews.ts';

/** What approvals let later actions of their sessions do. */
export const grants = sqliteTable(
  'grants',
  {
    id: integer().primaryKey(),
    uid: text().notNull().unique(),
    reviewId: integer()
      .notNull()
      .references(() => reviews.id),
    sessionId: integer()
      .notNull()
      .references(() => evaluationSessions.id),
    /** JSON: `GrantOffer`. */
    offer: text().notNull(),
    /** JSON list: the data tags of the approved action. */
    dataTags: text().notNull(),
    /** Null for any number. */
    usesLeft: integer(),
    /** Null for as long as the session. */
    expiresAt: integer(),
    /** When it was taken back. */
    closedAt: integer(),
  },
  (table) => [index('grants_by_session').on(table.sessionId), index('grants_by_review').on(table.reviewId)],
);

/** The evaluations that grants let through. */
export const grantUses = sqliteTable(
  'grant_uses',
  {
    evaluationId: integer()
      .notNull()
      .references(() => evaluations.id),
    grantId: integer()
      .notNull()
      .references(() => grants.id),
  },
  (table) => [
    primaryKey({ columns: [table.evaluationId, table.grantId] }),
    index('grant_uses_by_grant').on(table.grantId),
  ],
);
