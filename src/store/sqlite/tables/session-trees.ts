import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { evaluationSessions } from './evaluation-sessions.ts';

/** The counts of all sessions of a tree together: one row for each root that has had a child. */
export const sessionTrees = sqliteTable('session_trees', {
  rootUid: text().primaryKey(),
  /** JSON: `TreeCounts`. */
  counts: text().notNull(),
});

/** What changed sessions besides their evaluations, so that their history can be replayed: ends of children, labels taken away, rejections. */
export const sessionChanges = sqliteTable(
  'session_changes',
  {
    id: integer().primaryKey(),
    sessionId: integer()
      .notNull()
      .references(() => evaluationSessions.id),
    kind: text({ enum: ['ENDED', 'LABEL_REMOVED', 'REJECTED'] }).notNull(),
    /** Of a label that was taken away. */
    label: text(),
    /** Of a held action that a person rejected. */
    reviewUid: text(),
    /** The last evaluation recorded before it, of whatever session; 0 for none. */
    afterEvaluationId: integer().notNull(),
  },
  (table) => [
    index('session_changes_by_place').on(table.afterEvaluationId, table.id),
    index('removed_labels_by_session').on(table.sessionId).where(sql`${table.kind} = 'LABEL_REMOVED'`),
    index('rejections_by_session').on(table.sessionId).where(sql`${table.kind} = 'REJECTED'`),
  ],
);
