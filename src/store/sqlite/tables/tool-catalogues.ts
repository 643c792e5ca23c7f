import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { integrations } from './integrations.ts';

export const toolCatalogues = sqliteTable('tool_catalogues', {
  integrationId: integer()
    .primaryKey()
    .references(() => integrations.id),
  /** A JSON list. */
  tools: text().notNull(),
  updatedAt: integer().notNull(),
});
