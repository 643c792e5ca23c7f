import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { evaluationSessions } from './evaluation-sessions.ts';
import { evaluations } from './evaluations.ts';
import { integrations } from './integrations.ts';
import { policySets } from './policies.ts';

export const reviews = sqliteTable(
  'reviews',
  {
    id: integer().primaryKey(),
    uid: text().notNull().unique(),
    integrationId: integer()
      .notNull()
      .references(() => integrations.id),
    sessionId: integer().references(() => evaluationSessions.id),
    evaluationId: integer()
      .notNull()
      .references(() => evaluations.id),
    tool: text().notNull(),
    inputHash: text().notNull(),
    policySetId: integer()
      .notNull()
      .references(() => policySets.id),
    status: text({ enum: ['PENDING', 'APPROVED', 'REJECTED', 'CONSUMED'] }).notNull(),
    createdAt: integer().notNull(),
    expiresAt: integer().notNull(),
    expirySeconds: integer().notNull(),
    decidedAt: integer(),
    decidedBy: text(),
    comment: text(),
    consumedAt: integer(),
    callbackUrl: text(),
  },
  (table) => [
    index('reviews_by_integration').on(table.integrationId, table.id),
    index('reviews_by_status').on(table.status, table.id),
    index('reviews_by_session').on(table.sessionId),
  ],
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
