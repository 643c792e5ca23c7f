import { pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { time } from './columns.ts';

/** Registered entities. Sessions name an entity whether it is registered or not. */
export const entities = pgTable('entities', {
  id: uuid().primaryKey(),
  name: text().notNull(),
  kind: text({ enum: ['PERSON', 'TEAM', 'AGENT', 'SERVICE', 'OTHER'] }).notNull(),
  owner: text(),
  /** JSON. */
  metadata: text().notNull(),
  createdAt: time().notNull(),
  updatedAt: time().notNull(),
});
