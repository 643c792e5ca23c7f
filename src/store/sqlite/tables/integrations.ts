import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const integrations = sqliteTable('integrations', {
  id: integer().primaryKey(),
  uid: text().notNull().unique(),
  name: text().notNull(),
  kind: text({ enum: ['REST_API', 'MCP_SERVER', 'AGENT'] }).notNull(),
  description: text(),
  settings: text().notNull(),
  /** Raised by every change of what decides for it, its key included. */
  revision: integer().notNull().default(0),
  webhookSecret: text().notNull(),
  createdAt: integer().notNull(),
  updatedAt: integer().notNull(),
  deletedAt: integer(),
});

export const integrationKeys = sqliteTable(
  'integration_keys',
  {
    id: integer().primaryKey(),
    integrationId: integer()
      .notNull()
      .references(() => integrations.id),
    keyHash: text().notNull().unique(),
    keyPrefix: text().notNull(),
    /** The id of the operator who made it and so has seen it; null in old files. */
    issuedBy: text(),
    createdAt: integer().notNull(),
    expiresAt: integer(),
    revokedAt: integer(),
  },
  (table) => [index('integration_keys_by_integration').on(table.integrationId)],
);
