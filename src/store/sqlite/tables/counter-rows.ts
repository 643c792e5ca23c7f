import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { integrations } from './integrations.ts';

/** What the counters of policies keep (`TallyRows` of the engine). */
export const counterRows = sqliteTable(
  'counter_rows',
  {
    integrationId: integer()
      .notNull()
      .references(() => integrations.id),
    scope: text().notNull(),
    /** SHA-256 of the counter and of the row's name: names hold what counters are split by, which is content. */
    key: text().notNull(),
    data: text().notNull(),
    endsAt: integer(),
  },
  (table) => [
    primaryKey({ columns: [table.integrationId, table.scope, table.key] }),
    index('counter_rows_by_end').on(table.endsAt),
  ],
);
