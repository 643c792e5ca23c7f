import { index, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { position } from './positions.ts';

/** What changed sessions besides their evaluations, so that their history can be replayed: ends of children, and labels taken away. */
export const sessionChanges = pgTable(
  'session_changes',
  {
    position: position().primaryKey(),
    sessionId: uuid().notNull(),
    kind: text({ enum: ['ENDED', 'LABEL_REMOVED'] }).notNull(),
    /** Null for an end. */
    label: text(),
  },
  (table) => [index('session_changes_by_session').on(table.sessionId)],
);
