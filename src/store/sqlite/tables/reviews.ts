import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { reviewTables } from '../../../features/reviews/tables.ts';
import { sqliteColumns } from '../../../sql/sqlite/columns.ts';
import { integrations } from '../../../sql/sqlite/tables.ts';
import { evaluationSessions } from './evaluation-sessions.ts';
import { evaluations, policySets } from './evaluations.ts';

export const reviews = sqliteTable(
  'reviews',
  {
    id: integer().primaryKey(),
    uid: text().notNull().unique(),
    integrationId: integer()
      .notNull()
      .references(() => integrations.row),
    sessionId: integer().references(() => evaluationSessions.id),
    evaluationId: integer()
      .notNull()
      .references(() => evaluations.id),
    tool: text().notNull(),
    inputHash: text().notNull(),
    /** The hash of the action that a rejection is bound to. */
    rejectionHash: text().notNull(),
    policySetId: integer()
      .notNull()
      .references(() => policySets.id),
    status: text({ enum: ['PENDING', 'APPROVED', 'REJECTED', 'CANCELLED', 'CONSUMED'] }).notNull(),
    createdAt: integer().notNull(),
    expiresAt: integer().notNull(),
    /** 1 or 0. Whether it expires with its session, and is CANCELLED then. */
    endsWithSession: integer().notNull(),
    expirySeconds: integer().notNull(),
    decidedAt: integer(),
    decidedBy: text(),
    comment: text(),
    consumedAt: integer(),
    /** As reads show it; the address itself is in `review_contents`. */
    callbackUrl: text(),
    /** JSON: `ReviewTerms`. */
    terms: text().notNull(),
    /** JSON list: what its approval grants (`GrantOffer`); null for nothing. */
    grants: text(),
    /** The name of its tool as events show it, empty for none. */
    shownTool: text().notNull(),
  },
  (table) => [
    index('reviews_by_integration').on(table.integrationId, table.id),
    index('reviews_by_status').on(table.status, table.id),
    index('reviews_by_session').on(table.sessionId),
    index('reviews_by_tool').on(table.tool, table.id),
    index('reviews_by_time').on(table.createdAt),
    index('reviews_by_action').on(table.inputHash, table.id),
    // Counted for each new review, and most reviews are decided.
    index('reviews_pending').on(table.integrationId, table.expiresAt).where(sql`${table.status} = 'PENDING'`),
    index('reviews_rejected').on(table.rejectionHash).where(sql`${table.status} = 'REJECTED'`),
  ],
);

export const { callbacks, reviewApprovals, reviewComments, reviewContents, reviewHandling } = reviewTables(
  sqliteColumns,
  reviews,
);

/** Permissions that approvals give to later actions of their sessions. */
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
