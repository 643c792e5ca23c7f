import { index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { big } from './columns.ts';
import { integrations } from './shared.ts';

/** How many evaluations had which outcome, by what they are of, in an hour or a day (UTC). */
export const stats = pgTable(
  'stats',
  {
    dimension: text({ enum: ['integration', 'policy', 'rule', 'tool', 'tag', 'entity'] }).notNull(),
    unit: text({ enum: ['hour', 'day'] }).notNull(),
    /** Hours or days since 1970. */
    slot: integer().notNull(),
    integrationId: uuid()
      .notNull()
      .references(() => integrations.id),
    /** SHA-256 of the name, in hexadecimal: a tool's name may be longer than an index takes. */
    nameHash: text().notNull(),
    name: text().notNull(),
    allowed: big().notNull(),
    warned: big().notNull(),
    held: big().notNull(),
    blocked: big().notNull(),
    /** Of the evaluations whose time was measured: how many they are, and their microseconds, together and at most. */
    timed: big().notNull().default(0),
    tookUs: big().notNull().default(0),
    slowestUs: big().notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.dimension, table.unit, table.slot, table.integrationId, table.nameHash] }),
    index('stats_by_integration').on(table.dimension, table.unit, table.integrationId, table.slot),
  ],
);

/** One row, locked by the replica that counts. */
export const statsProgress = pgTable('stats_progress', {
  id: integer().primaryKey(),
  /** Evaluations up to it are counted. */
  position: big().notNull(),
  /** Evaluations up to it are in `evaluation_blocks`. */
  indexedPosition: big().notNull().default(0),
});
