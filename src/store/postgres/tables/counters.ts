import { index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { bytes } from './evaluation-sessions.ts';
import { time } from './shared.ts';

/** The counters that an integration has (`CounterSet`). */
export const counterSets = pgTable('counter_sets', {
  integrationId: uuid().primaryKey(),
  data: text().notNull(),
});

/** The cells of counters over scopes that are no sessions (`CountedScope`); those of a session are in its state. */
export const counterScopes = pgTable(
  'counter_scopes',
  {
    integrationId: uuid().notNull(),
    scope: text().notNull(),
    data: bytes().notNull(),
    endsAt: time(),
  },
  (table) => [
    primaryKey({ columns: [table.integrationId, table.scope] }),
    index('counter_scopes_by_end').on(table.endsAt),
  ],
);

/** Cells of scopes that have too many of them to be kept together. */
export const counterCells = pgTable(
  'counter_cells',
  {
    integrationId: uuid().notNull(),
    scope: text().notNull(),
    /** A hash of the counter and of the cell's name: names hold what counters are split by, which is content. */
    key: text().notNull(),
    data: bytes().notNull(),
    endsAt: time(),
  },
  (table) => [
    primaryKey({ columns: [table.integrationId, table.scope, table.key] }),
    index('counter_cells_by_end').on(table.endsAt),
  ],
);

/** The sessions whose state has counters, by their end, so that what they keep can be deleted then. */
export const countingSessions = pgTable(
  'counting_sessions',
  { endsAt: time().notNull(), sessionId: uuid().notNull() },
  (table) => [primaryKey({ columns: [table.endsAt, table.sessionId] })],
);
