import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
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
    /** What a rejection is bound to. */
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

/** The approvals of a review, of which it may take several. */
export const reviewApprovals = sqliteTable(
  'review_approvals',
  {
    reviewId: integer()
      .notNull()
      .references(() => reviews.id),
    operatorId: text().notNull(),
    /** JSON list: the groups of the operator then. */
    groups: text().notNull(),
    /** What the operator saw. */
    findings: text().notNull(),
    comment: text(),
    createdAt: integer().notNull(),
    /** 1: of this action alone, without the grants. */
    once: integer().notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.reviewId, table.operatorId] })],
);

/** Content that is stored only while a review is PENDING or its callback is on its way. */
export const reviewContents = sqliteTable(
  'review_contents',
  {
    reviewId: integer()
      .primaryKey()
      .references(() => reviews.id),
    input: text(),
    targetKey: text(),
    targetMetadata: text(),
    callbackUrl: text(),
    /** 1: detected values are masked, and operators see this in place of what the evaluation keeps. */
    isMasked: integer().notNull().default(0),
    /** JSON list: what counters count when it is rejected (`RejectionCount`); null for nothing. */
    rejectionCounts: text(),
    /** When a PENDING review expires; null once it is decided, and only the callback is left to do. */
    forgetAt: integer(),
  },
  (table) => [index('review_contents_by_expiry').on(table.forgetAt)],
);

export const callbacks = sqliteTable(
  'callbacks',
  {
    id: integer().primaryKey(),
    uid: text().notNull().unique(),
    reviewId: integer()
      .notNull()
      .unique()
      .references(() => reviews.id),
    body: text().notNull(),
    attemptCount: integer().notNull(),
    nextAttemptAt: integer(),
    deliveredAt: integer(),
    lastError: text(),
  },
  (table) => [index('callbacks_due').on(table.nextAttemptAt)],
);

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
