import { and, count, desc, eq, gt, isNull, lt, or, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import type { IntegrationKeyStore, StoredIntegrationKey } from '../integration-keys.ts';
import type { NewKey } from '../integrations.ts';
import { offsetOf } from '../pages.ts';
import { toStoredIntegration } from '../stored-integration.ts';
import { isLive, type KeyRow, toIntegrationKey } from '../stored-keys.ts';
import type { Sqlite } from './database.ts';
import { integrationColumns, newestKey } from './integration-columns.ts';
import type { Revisions } from './revisions.ts';
import { integrationKeys, integrations } from './tables.ts';

const used = alias(integrationKeys, 'used_key');
const columnsOf = (keys: typeof integrationKeys | typeof used) => ({
  id: keys.uid,
  name: keys.name,
  lastFour: keys.lastFour,
  scopes: keys.scopes,
  createdAt: keys.createdAt,
  lastUsedAt: keys.lastUsedAt,
  expiresAt: keys.expiresAt,
  revokedAt: keys.revokedAt,
});
/** Inserts a key. Synchronous: it runs inside a change. */
export const insertKey = (
  { db }: Pick<Sqlite, 'db'>,
  integrationId: number,
  { id: uid, scopes, ...key }: NewKey,
  createdAt: number,
): void =>
  void db
    .insert(integrationKeys)
    .values({ ...key, uid, scopes: JSON.stringify(scopes), integrationId, createdAt })
    .run();

/** Revokes all keys that are not. Synchronous: it runs inside a change. */
export const revokeKeys = ({ db }: Pick<Sqlite, 'db'>, integrationId: number, revokedAt: number): void =>
  void db
    .update(integrationKeys)
    .set({ revokedAt })
    .where(and(eq(integrationKeys.integrationId, integrationId), isNull(integrationKeys.revokedAt)))
    .run();

/** `ordinary` is the same database without the urgency of what operators do: uses of keys are not worth the reserve. */
export function createIntegrationKeys(
  sqlite: Sqlite,
  ordinary: Sqlite,
  revisions: Revisions,
): IntegrationKeyStore {
  const { db, steady, writer, read, look } = sqlite;
  const byHash = steady
    .select({ key: columnsOf(used), integration: integrationColumns, revision: integrations.revision })
    .from(used)
    .innerJoin(integrations, and(eq(integrations.id, used.integrationId), isNull(integrations.deletedAt)))
    .leftJoin(integrationKeys, newestKey)
    .where(and(eq(used.keyHash, sql.placeholder('keyHash')), isNull(used.revokedAt)))
    .prepare();

  const rowOf = (id: string): number | undefined =>
    db
      .select({ id: integrations.id })
      .from(integrations)
      .where(and(eq(integrations.uid, id.toLowerCase()), isNull(integrations.deletedAt)))
      .get()?.id;
  const keyOf = (row: number, integrationId: string, id: string): StoredIntegrationKey | null => {
    const found = db
      .select(columnsOf(integrationKeys))
      .from(integrationKeys)
      .where(and(eq(integrationKeys.integrationId, row), eq(integrationKeys.uid, id.toLowerCase())))
      .get();
    return found ? toIntegrationKey(found, integrationId.toLowerCase()) : null;
  };
  const liveCount = (row: number, now: number): number =>
    db
      .select({ total: count() })
      .from(integrationKeys)
      .where(
        and(
          eq(integrationKeys.integrationId, row),
          isNull(integrationKeys.revokedAt),
          or(isNull(integrationKeys.expiresAt), gt(integrationKeys.expiresAt, now)),
        ),
      )
      .get()?.total ?? 0;

  return {
    create: (integrationId, key, now, most) =>
      writer.run(() => {
        const row = rowOf(integrationId);
        if (row === undefined) return 'no_integration';
        if (liveCount(row, now) >= most) return 'too_many';
        insertKey(sqlite, row, key, now);
        revisions.raise(row);
        return keyOf(row, integrationId, key.id) as StoredIntegrationKey;
      }),

    list: (integrationId, page) =>
      read(() => {
        const id = integrationId.toLowerCase();
        const row = db
          .select({ id: integrations.id })
          .from(integrations)
          .where(eq(integrations.uid, id))
          .get();
        if (!row) return null;
        const where = eq(integrationKeys.integrationId, row.id);
        return {
          items: db
            .select(columnsOf(integrationKeys))
            .from(integrationKeys)
            .where(where)
            .orderBy(desc(integrationKeys.id))
            .limit(page.size)
            .offset(offsetOf(page))
            .all()
            .map((key) => toIntegrationKey(key, id)),
          total: db.select({ total: count() }).from(integrationKeys).where(where).get()?.total ?? 0,
        };
      }),

    rotate: (integrationId, id, key, { now, until, most }) =>
      writer.run(() => {
        const row = rowOf(integrationId);
        if (row === undefined) return 'no_integration';
        const old = keyOf(row, integrationId, id);
        if (!old) return 'no_key';
        if (!isLive(old, now)) return 'not_live';
        const expiresAt = Math.min(old.expiresAt ?? until, until);
        if (liveCount(row, now) + (expiresAt > now ? 1 : 0) > most) return 'too_many';
        db.update(integrationKeys).set({ expiresAt }).where(eq(integrationKeys.uid, old.id)).run();
        insertKey(sqlite, row, { ...key, name: old.name, scopes: old.scopes }, now);
        revisions.raise(row);
        return {
          created: keyOf(row, integrationId, key.id) as StoredIntegrationKey,
          replaces: { ...old, expiresAt },
        };
      }),

    revoke: (integrationId, id, now) =>
      writer.run(() => {
        const row = rowOf(integrationId);
        const old = row === undefined ? null : keyOf(row, integrationId, id);
        if (row === undefined || !old) return 'no_key';
        if (old.revokedAt !== null) return 'already_revoked';
        db.update(integrationKeys).set({ revokedAt: now }).where(eq(integrationKeys.uid, old.id)).run();
        revisions.raise(row);
        return { ...old, revokedAt: now };
      }),

    find: (keyHash, now) =>
      look(() => {
        const row = byHash.get({ keyHash });
        if (!row || (row.key.expiresAt !== null && row.key.expiresAt <= now)) return null;
        return {
          key: toIntegrationKey(row.key as KeyRow, row.integration.id),
          integration: toStoredIntegration(row.integration),
          revision: row.revision,
        };
      }),

    recordUse: (id, now) =>
      ordinary.writer.run(() => {
        const earlier = or(isNull(integrationKeys.lastUsedAt), lt(integrationKeys.lastUsedAt, now));
        db.update(integrationKeys)
          .set({ lastUsedAt: now })
          .where(and(eq(integrationKeys.uid, id), earlier))
          .run();
      }),
  };
}
