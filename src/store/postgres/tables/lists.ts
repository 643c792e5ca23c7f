import { integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { time } from './columns.ts';

export const lists = pgTable('lists', {
  id: uuid().primaryKey(),
  name: text().notNull().unique(),
  kind: text({ enum: ['DOMAINS', 'ACCOUNTS', 'TOOLS', 'OTHER'] }).notNull(),
  description: text(),
  version: integer().notNull(),
  /** A JSON list. */
  entries: text().notNull(),
  entryCount: integer().notNull(),
  createdAt: time().notNull(),
  updatedAt: time().notNull(),
});

/** Kept when the list is deleted. */
export const listChanges = pgTable(
  'list_changes',
  {
    /** The id of the list. */
    listUid: uuid().notNull(),
    version: integer().notNull(),
    /** The id of the operator. */
    author: text(),
    note: text(),
    /** JSON lists. */
    added: text().notNull(),
    removed: text().notNull(),
    createdAt: time().notNull(),
  },
  (table) => [primaryKey({ columns: [table.listUid, table.version] })],
);
