import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const events = sqliteTable('events', {
  /** Never used again once an event was deleted: readers resume after it. */
  id: integer().primaryKey({ autoIncrement: true }),
  uid: text().notNull(),
  type: text().notNull(),
  at: integer().notNull(),
  integrationId: text(),
  subject: text().notNull(),
  data: text().notNull(),
  /** Bytes of all events up to this one since the log was last empty. */
  totalBytes: integer().notNull(),
});
