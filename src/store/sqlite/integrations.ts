import { and, count, desc, eq, isNull, sql } from 'drizzle-orm';
import { isAsExpected } from '../expected.ts';
import type { IntegrationStore, NewKey, StoredIntegration } from '../integrations.ts';
import { offsetOf } from '../pages.ts';
import { toStoredIntegration } from '../stored-integration.ts';
import type { Sqlite } from './database.ts';
import { integrationColumns, newestKey } from './integration-columns.ts';
import { insertKey, revokeKeys } from './integration-keys.ts';
import type { Revisions } from './revisions.ts';
import { integrationKeys, integrations, toolCatalogues } from './tables.ts';

export function createIntegrations(sqlite: Sqlite, revisions: Revisions): IntegrationStore {
  const { db, steady, writer, read } = sqlite;
  const present = isNull(integrations.deletedAt);
  const select = () =>
    steady.select(integrationColumns).from(integrations).leftJoin(integrationKeys, newestKey);

  const byId = select()
    .where(eq(integrations.uid, sql.placeholder('id')))
    .prepare();

  const find = (id: string): StoredIntegration | null => {
    const row = byId.get({ id: id.toLowerCase() });
    return row ? toStoredIntegration(row) : null;
  };
  const rowId = (id: string): number | undefined =>
    db
      .select({ id: integrations.id })
      .from(integrations)
      .where(and(eq(integrations.uid, id.toLowerCase()), present))
      .get()?.id;
  /** As the newest key of the integration is named and limited, when it has one. */
  const like = (integrationId: number, key: NewKey): NewKey => {
    const { name, scopes } = integrationKeys;
    const newest = db
      .select({ name, scopes })
      .from(integrationKeys)
      .where(and(eq(integrationKeys.integrationId, integrationId), isNull(integrationKeys.revokedAt)))
      .orderBy(desc(integrationKeys.id))
      .get();
    return newest ? { ...key, name: newest.name, scopes: JSON.parse(newest.scopes) } : key;
  };
  /** Changes one integration and returns it as it then is; null when there is none. */
  const changing = (id: string, change: (row: number) => void): Promise<StoredIntegration | null> =>
    writer.run(() => {
      const row = rowId(id);
      if (row === undefined) return null;
      change(row);
      revisions.raise(row);
      return find(id);
    });

  return {
    create: (integration, key) =>
      writer.run(() => {
        const { id, settings, createdAt, ...rest } = integration;
        const row = db
          .insert(integrations)
          .values({ ...rest, uid: id, settings: JSON.stringify(settings), createdAt, updatedAt: createdAt })
          .returning({ id: integrations.id })
          .get();
        insertKey(sqlite, row.id, key, createdAt);
        return find(id) as StoredIntegration;
      }),

    find: (id) => read(() => find(id)),

    list: (page) =>
      read(() => ({
        items: select()
          .where(present)
          .orderBy(desc(integrations.id))
          .limit(page.size)
          .offset(offsetOf(page))
          .all()
          .map(toStoredIntegration),
        total: db.select({ total: count() }).from(integrations).where(present).get()?.total ?? 0,
      })),

    change: (id, { settings, ...change }, now, { settings: expected, ...plain } = {}) =>
      writer.run(() => {
        const row = rowId(id);
        if (row === undefined) return null;
        const before = find(id);
        if (!isAsExpected(before, plain) || !isAsExpected(before?.settings, expected)) return 'outdated';
        db.update(integrations)
          .set({
            ...change,
            ...(settings && { settings: JSON.stringify({ ...before?.settings, ...settings }) }),
            updatedAt: now,
          })
          .where(eq(integrations.id, row))
          .run();
        revisions.raise(row);
        return find(id);
      }),

    findTools: (id) =>
      read(
        () =>
          db
            .select({ tools: toolCatalogues.tools, updatedAt: toolCatalogues.updatedAt })
            .from(integrations)
            .leftJoin(toolCatalogues, eq(toolCatalogues.integrationId, integrations.id))
            .where(eq(integrations.uid, id.toLowerCase()))
            .get() ?? null,
      ),

    replaceTools: (id, tools, updatedAt, expected) =>
      writer.run(() => {
        const integrationId = rowId(id);
        if (integrationId === undefined) return 'no_integration';
        const isIt = eq(toolCatalogues.integrationId, integrationId);
        const stored = db.select({ tools: toolCatalogues.tools }).from(toolCatalogues).where(isIt).get();
        if (expected !== undefined && expected !== (stored?.tools ?? null)) return 'outdated';
        db.insert(toolCatalogues)
          .values({ integrationId, tools, updatedAt })
          .onConflictDoUpdate({ target: toolCatalogues.integrationId, set: { tools, updatedAt } })
          .run();
        revisions.raise(integrationId);
        return 'replaced';
      }),

    resealWebhookSecrets: (seal) =>
      writer.run(() => {
        const { id: row, uid: id, webhookSecret } = integrations;
        for (const kept of db.select({ row, id, webhookSecret }).from(integrations).all()) {
          const sealed = seal(kept.id, kept.webhookSecret);
          if (sealed === null) continue;
          db.update(integrations).set({ webhookSecret: sealed }).where(eq(row, kept.row)).run();
        }
      }),

    replaceKey: (id, key, now) =>
      changing(id, (row) => {
        const replacing = like(row, key);
        revokeKeys(sqlite, row, now);
        insertKey(sqlite, row, replacing, now);
      }),

    replaceWebhookSecret: async (id, webhookSecret, now) => {
      const changed = await changing(id, (row) => {
        db.update(integrations).set({ webhookSecret, updatedAt: now }).where(eq(integrations.id, row)).run();
      });
      return changed !== null;
    },

    delete: (id, now) =>
      writer.run(() => {
        const row = rowId(id);
        const last = find(id);
        if (row === undefined || !last) return null;
        revokeKeys(sqlite, row, now);
        db.update(integrations).set({ deletedAt: now, updatedAt: now }).where(eq(integrations.id, row)).run();
        revisions.raise(row);
        return { ...last, keyPrefix: null, keyExpiresAt: null, updatedAt: now, deletedAt: now };
      }),
  };
}
