import { pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { time } from './columns.ts';
import { integrations } from './integrations.ts';

export const toolCatalogues = pgTable('tool_catalogues', {
  integrationId: uuid()
    .primaryKey()
    .references(() => integrations.id),
  /** A JSON list. */
  tools: text().notNull(),
  updatedAt: time().notNull(),
});
