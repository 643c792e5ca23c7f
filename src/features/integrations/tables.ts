import type { Columns } from '../../sql/sqlite/columns.ts';
import { integrationKinds } from './words.ts';

export function integrationTables({ table, key, text, uuid, integer, time, index }: Columns) {
  const integrations = table('integrations', {
    ...key(),
    name: text().notNull(),
    kind: text({ enum: integrationKinds }).notNull(),
    description: text(),
    /** JSON. */
    settings: text().notNull(),
    /** Raised by every change of what decides for it, its keys included. */
    revision: integer().notNull().default(0),
    webhookSecret: text().notNull(),
    createdAt: time().notNull(),
    updatedAt: time().notNull(),
    deletedAt: time(),
  });
  const integrationKeys = table(
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
      /** A JSON list. */
      scopes: text().notNull(),
      lastUsedAt: time(),
      /** The id of the operator who made it and so has seen it. */
      issuedBy: text(),
      createdAt: time().notNull(),
      expiresAt: time(),
      revokedAt: time(),
    },
    (row) => [index('integration_keys_by_integration').on(row.integrationId)],
  );
  return { integrations, integrationKeys };
}
