import { blob, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { integrations } from '../../../sql/sqlite/tables.ts';
import { evaluationSessions } from './evaluation-sessions.ts';

/** The counters that an integration has (`CounterSet`). */
export const counterSets = sqliteTable('counter_sets', {
  integrationId: integer()
    .primaryKey()
    .references(() => integrations.row),
  data: text().notNull(),
});

/** The cells of counters over scopes that are no sessions (`CountedScope`); those of a session are in its state. */
export const counterScopes = sqliteTable(
  'counter_scopes',
  {
    integrationId: integer()
      .notNull()
      .references(() => integrations.row),
    scope: text().notNull(),
    data: blob({ mode: 'buffer' }).notNull(),
    endsAt: integer(),
  },
  (table) => [
    primaryKey({ columns: [table.integrationId, table.scope] }),
    index('counter_scopes_by_end').on(table.endsAt),
  ],
);

/**
 * Cells of sessions that have too many of them to be kept in their state. The rows are short and have no index besides, as a long
 * session gets one with each action: they are deleted together, once nothing reads what counters keep in the session.
 */
export const sessionCells = sqliteTable(
  'session_cells',
  {
    sessionId: integer()
      .notNull()
      .references(() => evaluationSessions.id),
    /** As in `counter_cells`, as bytes. */
    key: blob({ mode: 'buffer' }).notNull(),
    data: blob({ mode: 'buffer' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.sessionId, table.key] })],
);

/** Cells of the other scopes that have too many of them to be kept together. */
export const counterCells = sqliteTable(
  'counter_cells',
  {
    integrationId: integer()
      .notNull()
      .references(() => integrations.row),
    scope: text().notNull(),
    /** A hash of the counter and of the cell's name: names hold what counters are split by, which is content. */
    key: text().notNull(),
    data: blob({ mode: 'buffer' }).notNull(),
    endsAt: integer(),
  },
  (table) => [
    primaryKey({ columns: [table.integrationId, table.scope, table.key] }),
    index('counter_cells_by_end').on(table.endsAt),
  ],
);

/** The sessions whose state has counters, by their end, so that what they keep can be deleted then. */
export const countingSessions = sqliteTable(
  'counting_sessions',
  {
    endsAt: integer().notNull(),
    sessionId: integer()
      .notNull()
      .references(() => evaluationSessions.id),
  },
  (table) => [primaryKey({ columns: [table.endsAt, table.sessionId] })],
);
