import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { evaluationSessions } from './evaluation-sessions.ts';
import { policySets } from './policies.ts';
import { integrations } from './shared.ts';

export const idempotencyKeys = sqliteTable(
  'idempotency_keys',
  {
    integrationId: integer()
      .notNull()
      .references(() => integrations.row),
    key: text().notNull(),
    requestHash: text().notNull(),
    response: text('answer').notNull(),
    createdAt: integer().notNull(),
    /** These are set for a response that let an action through. */
    sessionId: integer().references(() => evaluationSessions.id),
    policySetId: integer().references(() => policySets.id),
  },
  (table) => [
    primaryKey({ columns: [table.integrationId, table.key] }),
    index('idempotency_keys_by_age').on(table.createdAt),
  ],
);
