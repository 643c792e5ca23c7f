import { index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { time } from './columns.ts';

export const integrations = pgTable('integrations', {
  id: uuid().primaryKey(),
  name: text().notNull(),
  kind: text({ enum: ['REST_API', 'MCP_SERVER', 'AGENT'] }).notNull(),
  description: text(),
  settings: text().notNull(),
  /** Raised by every change of what decides for it, its key included. */
  revision: integer().notNull().default(0),
  webhookSecret: text().notNull(),
  createdAt: time().notNull(),
  updatedAt: time().notNull(),
  deletedAt: time(),
});

export const integrationKeys = pgTable(
  'integration_keys',
  {
    id: uuid().primaryKey(),
    integrationId: uuid()
      .notNull()
      .references(() => integrations.id),
    name: text().notNull(),
    keyHash: text().notNull().unique(),
    keyPrefix: text().notNull(),
    lastFour: text(),
    /** JSON: what it may be used for. */
    scopes: text().notNull(),
    lastUsedAt: time(),
    /** The id of the operator who made it and so has seen it. */
    issuedBy: text(),
    createdAt: time().notNull(),
    expiresAt: time(),
    revokedAt: time(),
  },
  (table) => [index('integration_keys_by_integration').on(table.integrationId)],
);
