import { index, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { position } from './positions.ts';

/** What changed sessions besides their evaluations, so that their history can be replayed: ends of children, labels taken away, rejections. */
export const sessionChanges = pgTable(
  'session_changes',
  {
    position: position().primaryKey(),
    sessionId: uuid().notNull(),
    kind: text({ enum: ['ENDED', 'LABEL_REMOVED', 'REJECTED'] }).notNull(),
    /** Of a label that was taken away. */
    label: text(),
    /** Of a held action that a person rejected. */
    reviewId: uuid(),
  },
  (table) => [index('session_changes_by_session').on(table.sessionId)],
);
