import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { integrations } from './integrations.ts';

export const idempotencyKeys = sqliteTable(
  'idempotency_keys',
  {
    integrationId: integer()
      .notNull()
      .references(() => integrations.id),
    key: text().notNull(),
    requestHash: text().notNull(),
    answer: text().notNull(),
    createdAt: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.integrationId, table.key] }),
    index('idempotency_keys_by_age').on(table.createdAt),
  ],
);
