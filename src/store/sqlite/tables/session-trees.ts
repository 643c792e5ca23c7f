import { sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** The counts of all sessions of a tree together: one row for each root that has had a child. */
export const sessionTrees = sqliteTable('session_trees', {
  rootUid: text().primaryKey(),
  /** JSON: `TreeCounts`. */
  counts: text().notNull(),
});
