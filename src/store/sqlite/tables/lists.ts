import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const lists = sqliteTable('lists', {
  id: integer().primaryKey(),
  uid: text().notNull().unique(),
  name: text().notNull().unique(),
  kind: text({ enum: ['DOMAINS', 'ACCOUNTS', 'TOOLS', 'OTHER'] }).notNull(),
  description: text(),
  version: integer().notNull(),
  /** A JSON list. */
  entries: text().notNull(),
  entryCount: integer().notNull(),
  createdAt: integer().notNull(),
  updatedAt: integer().notNull(),
});

/** Kept when the list is deleted. */
export const listChanges = sqliteTable(
  'list_changes',
  {
    /** The id that callers know of the list. */
    listUid: text().notNull(),
    version: integer().notNull(),
    /** The id of the operator. */
    author: text(),
    note: text(),
    /** JSON lists. */
    added: text().notNull(),
    removed: text().notNull(),
    createdAt: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.listUid, table.version] })],
);
