import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { integrations } from '../../../sql/sqlite/tables.ts';

/** How many evaluations had which outcome, by what they are of, in an hour or a day (UTC). */
export const stats = sqliteTable(
  'stats',
  {
    dimension: text({ enum: ['integration', 'policy', 'rule', 'tool', 'tag', 'entity'] }).notNull(),
    unit: text({ enum: ['hour', 'day'] }).notNull(),
    /** Hours or days since 1970. */
    slot: integer().notNull(),
    integrationId: integer()
      .notNull()
      .references(() => integrations.row),
    name: text().notNull(),
    allowed: integer().notNull(),
    warned: integer().notNull(),
    held: integer().notNull(),
    blocked: integer().notNull(),
    /** Of the evaluations whose time was measured: how many they are, and their microseconds, together and at most. */
    timed: integer().notNull().default(0),
    tookUs: integer().notNull().default(0),
    slowestUs: integer().notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.dimension, table.unit, table.slot, table.integrationId, table.name] }),
    index('stats_by_integration').on(table.dimension, table.unit, table.integrationId, table.slot),
  ],
);

/** One row: evaluations up to this one are counted. */
export const statsProgress = sqliteTable('stats_progress', {
  id: integer().primaryKey(),
  evaluationId: integer().notNull(),
});
