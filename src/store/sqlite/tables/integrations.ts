import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';

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
    uid: text().notNull().default(''),
    integrationId: integer()
      .notNull()
      .references(() => integrations.id),
    name: text().notNull().default('key'),
    keyHash: text().notNull().unique(),
    keyPrefix: text().notNull(),
    /** Null in old files. */
    lastFour: text(),
    /** JSON: what it may be used for. */
    scopes: text().notNull().default('["evaluate","sessions:open","sessions:end","read"]'),
    lastUsedAt: integer(),
    /** The id of the operator who made it and so has seen it; null in old files. */
    issuedBy: text(),
    createdAt: integer().notNull(),
    expiresAt: integer(),
    revokedAt: integer(),
  },
  (table) => [
    index('integration_keys_by_integration').on(table.integrationId),
    uniqueIndex('integration_keys_uid').on(table.uid),
  ],
);
