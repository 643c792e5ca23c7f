import { desc, eq } from 'drizzle-orm';
import { offsetOf } from '../pages.ts';
import { filterColumns, toWebhook } from '../stored-webhooks.ts';
import type { StoredWebhook, WebhookStore } from '../webhooks.ts';
import type { Db, Postgres } from './database.ts';
import { numberEvents } from './event-numbers.ts';
import { totalOf } from './pages.ts';
import { webhookProgress, webhooks } from './tables.ts';
import { createWebhookDeliveries } from './webhook-deliveries.ts';
import { createFanOut } from './webhook-fan-out.ts';
import { findWebhook, webhookColumns } from './webhook-rows.ts';

/** `postgres` is for operators: what they change is recorded. `ordinary` is for deliveries. */
export function createWebhooks(postgres: Postgres, ordinary: Postgres): WebhookStore {
  const { read, change } = postgres;

  return {
    ...createWebhookDeliveries(postgres, ordinary),
    ...createFanOut(ordinary),

    create: ({ types, integrationIds, ...webhook }, most) =>
      change(async (tx) => {
        const known = await totalOf(tx, webhooks);
        if (known >= most) return null;
        // What was committed before has its number now: it was for others.
        const latest = await numberEvents(tx);
        if (known === 0) await tx.update(webhookProgress).set({ sequence: latest });
        await tx.insert(webhooks).values({
          ...webhook,
          types: JSON.stringify(types),
          integrationIds: JSON.stringify(integrationIds),
          status: 'ACTIVE',
          afterEvent: latest,
          updatedAt: webhook.createdAt,
        });
        return findWebhook(tx, webhook.id);
      }),

    find: (id) => read((db) => findWebhook(db, id)),

    list: (page) =>
      read(async (db) => {
        const rows = await db
          .select(webhookColumns)
          .from(webhooks)
          .orderBy(desc(webhooks.createdAt), desc(webhooks.id))
          .limit(page.size)
          .offset(offsetOf(page));
        return { items: rows.map(toWebhook), total: await totalOf(db, webhooks) };
      }),

    change: (id, { types, integrationIds, ...plain }, now) =>
      change(async (tx) => {
        const lists = filterColumns({ ...(types && { types }), ...(integrationIds && { integrationIds }) });
        await tx
          .update(webhooks)
          .set({ ...plain, ...lists, updatedAt: now })
          .where(eq(webhooks.id, id));
        return findWebhook(tx, id);
      }),

    rotateSecret: (id, secret, previousSecretUntil, now) =>
      change(async (tx) => {
        const before = await findWebhook(tx, id);
        if (!before || before.secret === null) return null;
        await tx
          .update(webhooks)
          .set({ secret, previousSecret: before.secret, previousSecretUntil, updatedAt: now })
          .where(eq(webhooks.id, id));
        return findWebhook(tx, id);
      }),

    delete: (id) =>
      change(async (tx) => {
        const last = await findWebhook(tx, id);
        if (last) await tx.delete(webhooks).where(eq(webhooks.id, id));
        return last;
      }),

    reseal: (seal) =>
      ordinary.change(async (tx) => {
        for (const webhook of await all(tx)) {
          const sealed = seal(webhook);
          if (sealed) await tx.update(webhooks).set(sealed).where(eq(webhooks.id, webhook.id));
        }
      }),
  };
}

const all = async (tx: Db): Promise<StoredWebhook[]> =>
  (await tx.select(webhookColumns).from(webhooks).for('update')).map(toWebhook);
