import { bigint, index, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { position } from './columns.ts';

/** The heads of the chains that have no row of their own. Those of sessions are in `session_states`. */
export const recordHeads = pgTable('record_heads', {
  chain: text().primaryKey(),
  seq: bigint({ mode: 'number' }).notNull(),
  hash: text().notNull(),
});

/** Entries that are neither evaluations nor management calls. Permanent: triggers refuse to change or delete a row. */
export const recordEntries = pgTable(
  'record_entries',
  {
    position: position().primaryKey(),
    integrationId: uuid().notNull(),
    sessionId: uuid(),
    kind: text({ enum: ['review'] }).notNull(),
    /** JSON text of the members. */
    members: text().notNull(),
    chainSeq: bigint({ mode: 'number' }).notNull(),
    entryHash: text().notNull(),
  },
  (table) => [index('record_entries_by_session').on(table.sessionId, table.chainSeq)],
);
