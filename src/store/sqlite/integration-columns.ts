import { and, eq, sql } from 'drizzle-orm';
import { integrationKeys, integrations } from './tables.ts';

/** With `newestKey` joined. */
export const integrationColumns = {
  id: integrations.uid,
  name: integrations.name,
  kind: integrations.kind,
  description: integrations.description,
  settings: integrations.settings,
  keyPrefix: integrationKeys.keyPrefix,
  keyExpiresAt: integrationKeys.expiresAt,
  createdAt: integrations.createdAt,
  updatedAt: integrations.updatedAt,
  deletedAt: integrations.deletedAt,
};

/** Of the keys that are not revoked. */
export const newestKey = and(
  eq(integrationKeys.integrationId, integrations.id),
  sql`${integrationKeys.id} = (SELECT max(k.id) FROM integration_keys k
    WHERE k.integration_id = ${integrations.id} AND k.revoked_at IS NULL)`,
);
