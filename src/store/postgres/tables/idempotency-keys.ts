import { index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { time } from './columns.ts';

export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    integrationId: uuid().notNull(),
    key: text().notNull(),
    requestHash: text().notNull(),
    response: text('answer').notNull(),
    createdAt: time().notNull(),
    /** These are set for a response that let an action through. */
    sessionId: uuid(),
    policySetId: text(),
  },
  (table) => [
    primaryKey({ columns: [table.integrationId, table.key] }),
    index('idempotency_keys_by_age').on(table.createdAt),
  ],
);
