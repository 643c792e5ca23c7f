import { and, desc, eq, getTableColumns, gt, isNull, lt, or } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { IntegrationKeyStore, StoredIntegrationKey } from '../integration-keys.ts';
import type { NewKey } from '../integrations.ts';
import { offsetOf } from '../pages.ts';
import { toStoredIntegration } from '../stored-integration.ts';
import { isLive, type KeyRow, toIntegrationKey } from '../stored-keys.ts';
import type { Db, Postgres } from './database.ts';
import { integrationColumns, newestKey } from './integration-columns.ts';
import { totalOf } from './pages.ts';
import type { Revisions } from './revisions.ts';
import { integrationKeys, integrations } from './tables.ts';

const used = alias(integrationKeys, 'used_key');
const columnsOf = (keys: typeof integrationKeys | typeof used) => {
  const { id, name, lastFour, scopes, createdAt, lastUsedAt, expiresAt, revokedAt } = getTableColumns(keys);
  return { id, name, lastFour, scopes, createdAt, lastUsedAt, expiresAt, revokedAt };
};
const columns = columnsOf(integrationKeys);

export const insertKey = (tx: Db, integrationId: string, { scopes, ...key }: NewKey, createdAt: number) =>
  tx.insert(integrationKeys).values({ ...key, scopes: JSON.stringify(scopes), integrationId, createdAt });

/** Revokes all keys that are not. */
export const revokeKeys = (tx: Db, integrationId: string, revokedAt: number) =>
  tx
    .update(integrationKeys)
    .set({ revokedAt })
    .where(and(eq(integrationKeys.integrationId, integrationId), isNull(integrationKeys.revokedAt)));

/** `postgres`: for operators. `ordinary`: for uses of keys, which are no changes of theirs. */
export function createIntegrationKeys(
  { read, change }: Postgres,
  ordinary: Postgres,
  revisions: Revisions,
): IntegrationKeyStore {
  return {
    create: (integrationId, key, now, most) =>
      change(async (tx) => {
        if (!(await isThere(tx, integrationId))) return 'no_integration';
        if ((await liveCount(tx, integrationId, now)) >= most) return 'too_many';
        await insertKey(tx, integrationId, key, now);
        await revisions.raise(tx, integrationId);
        return (await find(tx, integrationId, key.id)) as StoredIntegrationKey;
      }),

    list: (integrationId, page) =>
      read(async (db) => {
        const { id } = integrations;
        const [owner] = await db.select({ id }).from(integrations).where(eq(id, integrationId));
        if (!owner) return null;
        const where = eq(integrationKeys.integrationId, owner.id);
        const rows = await db
          .select(columns)
          .from(integrationKeys)
          .where(where)
          .orderBy(desc(integrationKeys.createdAt), desc(integrationKeys.id))
          .limit(page.size)
          .offset(offsetOf(page));
        return {
          items: rows.map((key) => toIntegrationKey(key, owner.id)),
          total: await totalOf(db, integrationKeys, where),
        };
      }),

    rotate: (integrationId, id, key, { now, until, most }) =>
      change(async (tx) => {
        if (!(await isThere(tx, integrationId))) return 'no_integration';
        const old = await find(tx, integrationId, id);
        if (!old) return 'no_key';
        if (!isLive(old, now)) return 'not_live';
        const expiresAt = Math.min(old.expiresAt ?? until, until);
        if ((await liveCount(tx, integrationId, now)) + (expiresAt > now ? 1 : 0) > most) return 'too_many';
        await tx.update(integrationKeys).set({ expiresAt }).where(eq(integrationKeys.id, old.id));
        await insertKey(tx, integrationId, { ...key, name: old.name, scopes: old.scopes }, now);
        await revisions.raise(tx, integrationId);
        return {
          created: (await find(tx, integrationId, key.id)) as StoredIntegrationKey,
          replaces: { ...old, expiresAt },
        };
      }),

    revoke: (integrationId, id, now) =>
      change(async (tx) => {
        const old = (await isThere(tx, integrationId)) && (await find(tx, integrationId, id));
        if (!old) return 'no_key';
        if (old.revokedAt !== null) return 'already_revoked';
        await tx.update(integrationKeys).set({ revokedAt: now }).where(eq(integrationKeys.id, old.id));
        await revisions.raise(tx, integrationId);
        return { ...old, revokedAt: now };
      }),

    find: (keyHash, now) =>
      read(async (db) => {
        const [row] = await db
          .select({ key: columnsOf(used), integration: integrationColumns, revision: integrations.revision })
          .from(used)
          .innerJoin(
            integrations,
            and(eq(integrations.id, used.integrationId), isNull(integrations.deletedAt)),
          )
          .leftJoin(integrationKeys, newestKey)
          .where(eq(used.keyHash, keyHash));
        if (!row) return null;
        const key = toIntegrationKey(row.key as KeyRow, row.integration.id);
        if (!isLive(key, now)) return null;
        return { key, integration: toStoredIntegration(row.integration), revision: row.revision };
      }),

    recordUse: (id, now) =>
      ordinary.change(async (tx) => {
        const earlier = or(isNull(integrationKeys.lastUsedAt), lt(integrationKeys.lastUsedAt, now));
        await tx
          .update(integrationKeys)
          .set({ lastUsedAt: now })
          .where(and(eq(integrationKeys.id, id), earlier));
      }),
  };
}

/** Whether there is such an integration that is not deleted. */
export async function isThere(db: Db, integrationId: string): Promise<boolean> {
  const found = await db
    .select({ id: integrations.id })
    .from(integrations)
    .where(and(eq(integrations.id, integrationId), isNull(integrations.deletedAt)));
  return found.length > 0;
}

async function find(db: Db, integrationId: string, id: string): Promise<StoredIntegrationKey | null> {
  const [found] = await db
    .select(columns)
    .from(integrationKeys)
    .where(and(eq(integrationKeys.integrationId, integrationId), eq(integrationKeys.id, id)));
  return found ? toIntegrationKey(found, integrationId.toLowerCase()) : null;
}

const liveCount = (db: Db, integrationId: string, now: number): Promise<number> =>
  totalOf(
    db,
    integrationKeys,
    and(
      eq(integrationKeys.integrationId, integrationId),
      isNull(integrationKeys.revokedAt),
      or(isNull(integrationKeys.expiresAt), gt(integrationKeys.expiresAt, now)),
    ),
  );
