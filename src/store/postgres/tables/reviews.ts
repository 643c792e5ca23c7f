import { sql } from 'drizzle-orm';
import { boolean, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core';
import { reviewTables } from '../../../features/reviews/tables.ts';
import { asPostgresTable, postgresColumns } from '../../../sql/postgres/columns.ts';
import { time } from './shared.ts';

/** `session_id`, `evaluation_id` and `integration_id` refer to rows that are never deleted: no key checks it, which would lock them. */
export const reviews = pgTable(
  'reviews',
  {
    id: uuid().primaryKey(),
    integrationId: uuid().notNull(),
    sessionId: uuid(),
    evaluationId: uuid().notNull(),
    tool: text().notNull(),
    inputHash: text().notNull(),
    /** The hash of the action that a rejection is bound to. */
    rejectionHash: text().notNull(),
    /** The name of its tool as events show it, empty for none. */
    shownTool: text().notNull(),
    status: text({ enum: ['PENDING', 'APPROVED', 'REJECTED', 'CANCELLED', 'CONSUMED'] }).notNull(),
    createdAt: time().notNull(),
    expiresAt: time().notNull(),
    /** Whether it expires with its session, and is CANCELLED then. */
    endsWithSession: boolean().notNull(),
    expirySeconds: integer().notNull(),
    decidedAt: time(),
    decidedBy: text(),
    comment: text(),
    consumedAt: time(),
    /** As reads show it; the address itself is in `review_contents`. */
    callbackUrl: text(),
    /** JSON: `ReviewTerms`. */
    terms: text().notNull(),
    /** JSON list: what its approval grants (`GrantOffer`); null for nothing. */
    grants: text(),
  },
  (table) => [
    index('reviews_by_time').on(table.createdAt, table.id),
    index('reviews_by_integration').on(table.integrationId, table.createdAt, table.id),
    index('reviews_by_status').on(table.status, table.createdAt, table.id),
    index('reviews_by_session').on(table.sessionId),
    index('reviews_by_action').on(table.inputHash),
    // Counted for each new review, and most reviews are decided.
    index('reviews_pending').on(table.integrationId, table.expiresAt).where(sql`${table.status} = 'PENDING'`),
    index('reviews_rejected').on(table.rejectionHash).where(sql`${table.status} = 'REJECTED'`),
  ],
);

const shared = reviewTables(postgresColumns, { id: reviews.id as unknown as AnySQLiteColumn });
export const { reviewApprovals, reviewComments, reviewHandling } = shared;
export const callbacks = asPostgresTable(shared.callbacks);
export const reviewContents = asPostgresTable(shared.reviewContents);

/** Permissions that approvals give to later actions of their sessions. */
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
    createdAt: time().notNull(),
    /** Null for as long as the session. */
    expiresAt: time(),
    /** When it was taken back. */
    closedAt: time(),
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
