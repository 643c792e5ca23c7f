import { and, eq, getTableColumns, sql } from 'drizzle-orm';
import { integrationKeys, integrations } from './tables.ts';

const { revision: _, webhookSecret: __, ...columns } = getTableColumns(integrations);

/** With `newestKey` joined. */
export const integrationColumns = {
  ...columns,
  keyPrefix: integrationKeys.keyPrefix,
  keyExpiresAt: integrationKeys.expiresAt,
};

/** Of the keys that are not revoked. */
export const newestKey = and(
  eq(integrationKeys.integrationId, integrations.id),
  sql`${integrationKeys.id} = (SELECT k.id FROM integration_keys AS k
    WHERE k.integration_id = ${integrations.id} AND k.revoked_at IS NULL ORDER BY k.created_at DESC, k.id DESC LIMIT 1)`,
);
