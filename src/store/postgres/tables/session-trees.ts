import { pgTable, text, uuid } from 'drizzle-orm/pg-core';

/** The counts of all sessions of a tree together: one row for each root that has had a child. */
export const sessionTrees = pgTable('session_trees', {
  rootUid: uuid().primaryKey(),
  /** JSON: `TreeCounts`. */
  counts: text().notNull(),
});
