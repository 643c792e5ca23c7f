import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { integrations } from '../../../sql/sqlite/tables.ts';
import { evaluationSessions } from './evaluation-sessions.ts';

/** The heads of the chains that have no row of their own. Those of sessions are in `session_states`. */
export const recordHeads = sqliteTable('record_heads', {
  chain: text().primaryKey(),
  seq: integer().notNull(),
  hash: text().notNull(),
});

/** Entries that are neither evaluations nor management calls. Permanent: triggers refuse to change or delete a row. */
export const recordEntries = sqliteTable(
  'record_entries',
  {
    id: integer().primaryKey(),
    integrationId: integer()
      .notNull()
      .references(() => integrations.row),
    sessionId: integer().references(() => evaluationSessions.id),
    kind: text({ enum: ['review'] }).notNull(),
    /** JSON text of the members. */
    members: text().notNull(),
    /** The last evaluation recorded before it, of whatever session; 0 for none. */
    afterEvaluationId: integer().notNull(),
    chainSeq: integer().notNull(),
    entryHash: text().notNull(),
  },
  (table) => [
    index('record_entries_by_session').on(table.sessionId, table.chainSeq),
    index('record_entries_by_place').on(table.afterEvaluationId, table.id),
  ],
);
