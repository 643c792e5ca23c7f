import { index, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { time } from './columns.ts';

/** Registered entities. Sessions name an entity whether it is registered or not. */
export const entities = pgTable(
  'entities',
  {
    id: uuid().primaryKey(),
    name: text().notNull(),
    kind: text({ enum: ['PERSON', 'TEAM', 'AGENT', 'SERVICE', 'OTHER'] }).notNull(),
    owner: text(),
    /** JSON. */
    metadata: text().notNull(),
    createdAt: time().notNull(),
    updatedAt: time().notNull(),
  },
  (table) => [
    index('entities_by_kind').on(table.kind, table.createdAt, table.id),
    index('entities_by_owner').on(table.owner, table.createdAt, table.id),
  ],
);
