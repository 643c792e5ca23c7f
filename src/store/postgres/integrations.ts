import { and, desc, eq, isNull } from 'drizzle-orm';
import { isAsExpected } from '../expected.ts';
import type { IntegrationStore, NewKey, StoredIntegration } from '../integrations.ts';
import { offsetOf } from '../pages.ts';
import { toStoredIntegration } from '../stored-integration.ts';
import type { Db, Postgres } from './database.ts';
import { integrationColumns, newestKey } from './integration-columns.ts';
import { insertKey, revokeKeys } from './integration-keys.ts';
import { totalOf } from './pages.ts';
import type { Revisions } from './revisions.ts';
import { integrationKeys, integrations, toolCatalogues } from './tables.ts';

const present = isNull(integrations.deletedAt);
const select = (db: Db) =>
  db.select(integrationColumns).from(integrations).leftJoin(integrationKeys, newestKey);

export function createIntegrations({ read, change }: Postgres, revisions: Revisions): IntegrationStore {
  /** Changes one integration and returns it as it then is; null when there is none. */
  const changing = (id: string, work: (tx: Db) => Promise<unknown>): Promise<StoredIntegration | null> =>
    change(async (tx) => {
      const found = await findPresent(tx, id);
      if (!found) return null;
      await work(tx);
      await revisions.raise(tx, found.id);
      return find(tx, id);
    });

  return {
    create: ({ settings, ...integration }, key) =>
      change(async (tx) => {
        const { id, createdAt } = integration;
        await tx
          .insert(integrations)
          .values({ ...integration, settings: JSON.stringify(settings), updatedAt: createdAt });
        await insertKey(tx, id, key, createdAt);
        return (await find(tx, id)) as StoredIntegration;
      }),

    find: (id) => read((db) => find(db, id)),

    list: (page) =>
      read(async (db) => {
        const rows = await select(db)
          .where(present)
          .orderBy(desc(integrations.createdAt), desc(integrations.id))
          .limit(page.size)
          .offset(offsetOf(page));
        return { items: rows.map(toStoredIntegration), total: await totalOf(db, integrations, present) };
      }),

    change: (id, { settings, ...plain }, now, { settings: expected, ...fields } = {}) =>
      change(async (tx) => {
        const found = await findPresent(tx, id);
        if (!found) return null;
        if (!isAsExpected(found, fields) || !isAsExpected(found.settings, expected)) return 'outdated';
        await tx
          .update(integrations)
          .set({
            ...plain,
            ...(settings && { settings: JSON.stringify({ ...found.settings, ...settings }) }),
            updatedAt: now,
          })
          .where(eq(integrations.id, id));
        await revisions.raise(tx, found.id);
        return find(tx, id);
      }),

    findTools: (id) =>
      read(async (db) => {
        const [found] = await db
          .select({ tools: toolCatalogues.tools, updatedAt: toolCatalogues.updatedAt })
          .from(integrations)
          .leftJoin(toolCatalogues, eq(toolCatalogues.integrationId, integrations.id))
          .where(eq(integrations.id, id));
        return found ?? null;
      }),

    replaceTools: (id, tools, updatedAt, expected) =>
      change(async (tx) => {
        const found = await findPresent(tx, id);
        if (!found) return 'no_integration';
        const { integrationId } = toolCatalogues;
        const [stored] = await tx
          .select({ tools: toolCatalogues.tools })
          .from(toolCatalogues)
          .where(eq(integrationId, found.id));
        if (expected !== undefined && expected !== (stored?.tools ?? null)) return 'outdated';
        await tx
          .insert(toolCatalogues)
          .values({ integrationId: found.id, tools, updatedAt })
          .onConflictDoUpdate({ target: integrationId, set: { tools, updatedAt } });
        await revisions.raise(tx, found.id);
        return 'replaced';
      }),

    resealWebhookSecrets: (seal) =>
      change(async (tx) => {
        const { id, webhookSecret } = integrations;
        for (const kept of await tx.select({ id, webhookSecret }).from(integrations)) {
          const sealed = seal(kept.id, kept.webhookSecret);
          if (sealed === null) continue;
          await tx.update(integrations).set({ webhookSecret: sealed }).where(eq(id, kept.id));
        }
      }),

    replaceKey: (id, key, now) =>
      changing(id, async (tx) => {
        const replacing = await likeNewest(tx, id, key);
        await revokeKeys(tx, id, now);
        await insertKey(tx, id, replacing, now);
      }),

    async replaceWebhookSecret(id, webhookSecret, now) {
      const changed = await changing(id, (tx) =>
        tx.update(integrations).set({ webhookSecret, updatedAt: now }).where(eq(integrations.id, id)),
      );
      return changed !== null;
    },

    delete: (id, now) =>
      change(async (tx) => {
        const last = await find(tx, id);
        if (!last || last.deletedAt !== null) return null;
        await revokeKeys(tx, id, now);
        await tx.update(integrations).set({ deletedAt: now, updatedAt: now }).where(eq(integrations.id, id));
        await revisions.raise(tx, id);
        return { ...last, keyPrefix: null, keyExpiresAt: null, updatedAt: now, deletedAt: now };
      }),
  };
}

async function find(db: Db, id: string): Promise<StoredIntegration | null> {
  const [row] = await select(db).where(eq(integrations.id, id));
  return row ? toStoredIntegration(row) : null;
}

/** Null for one that was deleted, too. */
async function findPresent(db: Db, id: string): Promise<StoredIntegration | null> {
  const found = await find(db, id);
  return found?.deletedAt === null ? found : null;
}

/** As the newest key of the integration is named and limited, when it has one. */
async function likeNewest(tx: Db, integrationId: string, key: NewKey): Promise<NewKey> {
  const { name, scopes, createdAt, id } = integrationKeys;
  const [newest] = await tx
    .select({ name, scopes })
    .from(integrationKeys)
    .where(and(eq(integrationKeys.integrationId, integrationId), isNull(integrationKeys.revokedAt)))
    .orderBy(desc(createdAt), desc(id))
    .limit(1);
  return newest ? { ...key, name: newest.name, scopes: JSON.parse(newest.scopes) } : key;
}
