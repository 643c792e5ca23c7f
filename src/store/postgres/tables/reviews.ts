import { sql } from 'drizzle-orm';
import { bigint, boolean, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';

const time = () => bigint({ mode: 'number' });

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
    /** What a rejection is bound to. */
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

const reviewId = () => uuid().references(() => reviews.id);

/** The approvals of a review, of which it may take several. */
export const reviewApprovals = pgTable(
  'review_approvals',
  {
    reviewId: reviewId().notNull(),
    operatorId: text().notNull(),
    /** JSON list: the groups of the operator then. */
    groups: text().notNull(),
    /** What the operator saw. */
    findings: text().notNull(),
    comment: text(),
    createdAt: time().notNull(),
    /** Of this action alone, without the grants. */
    once: boolean().notNull(),
  },
  (table) => [primaryKey({ columns: [table.reviewId, table.operatorId] })],
);

/** Content that is stored only while a review is PENDING or its callback is on its way. */
export const reviewContents = pgTable(
  'review_contents',
  {
    reviewId: reviewId().primaryKey(),
    input: text(),
    targetKey: text(),
    targetMetadata: text(),
    callbackUrl: text(),
    /** Detected values are masked, and operators see this in place of what the evaluation keeps. */
    isMasked: boolean().notNull().default(false),
    /** JSON list: what counters count when it is rejected (`RejectionCount`); null for nothing. */
    rejectionCounts: text(),
    /** When a PENDING review expires; null once it is decided, and only the callback is left to do. */
    forgetAt: time(),
  },
  (table) => [index('review_contents_by_expiry').on(table.forgetAt)],
);

export const callbacks = pgTable(
  'callbacks',
  {
    id: uuid().primaryKey(),
    reviewId: reviewId().notNull().unique(),
    body: text().notNull(),
    attemptCount: integer().notNull(),
    nextAttemptAt: time(),
    deliveredAt: time(),
    lastError: text(),
  },
  (table) => [index('callbacks_due').on(table.nextAttemptAt)],
);

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
