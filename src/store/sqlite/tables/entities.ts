import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Registered entities. Sessions name an entity by its `uid` whether it is registered or not. */
export const entities = sqliteTable(
  'entities',
  {
    id: integer().primaryKey(),
    uid: text().notNull().unique(),
    name: text().notNull(),
    kind: text({ enum: ['PERSON', 'TEAM', 'AGENT', 'SERVICE', 'OTHER'] }).notNull(),
    owner: text(),
    /** JSON. */
    metadata: text().notNull(),
    createdAt: integer().notNull(),
    updatedAt: integer().notNull(),
  },
  (table) => [
    index('entities_by_kind').on(table.kind, table.id),
    index('entities_by_owner').on(table.owner, table.id),
  ],
);
