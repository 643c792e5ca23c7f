import {
  and,
  asc,
  desc,
  eq,
  getTableColumns,
  inArray,
  isNotNull,
  lte,
  min,
  type SQL,
  sql,
} from 'drizzle-orm';
import { offsetOf } from '../pages.ts';
import { renewedDelivery, toWebhook } from '../stored-webhooks.ts';
import type { DeliveryFilter, DueDelivery, StoredDelivery, WebhookStore } from '../webhooks.ts';
import type { Db, Postgres } from './database.ts';
import { eventColumns, toEvent } from './events.ts';
import { boundedTotalOf, onlyCounted } from './pages.ts';
import { webhookDeliveries as deliveries, events, webhooks } from './tables.ts';
import { webhookColumns } from './webhook-rows.ts';

type Deliveries = Pick<
  WebhookStore,
  | 'claimDue'
  | 'findNextAttemptAt'
  | 'release'
  | 'recordDelivered'
  | 'recordFailed'
  | 'listDeliveries'
  | 'redeliver'
  | 'redeliverDead'
>;

const { eventId: _, ...columns } = getTableColumns(deliveries);
const attemptsMade = sql<number>`${deliveries.attemptCount} + 1`;
const isActive = eq(webhooks.status, 'ACTIVE');
const withId = (id: string): SQL => eq(deliveries.id, id);

export function createWebhookDeliveries({ read, change }: Postgres, ordinary: Postgres): Deliveries {
  const set = (id: string, values: Partial<Record<keyof typeof deliveries.$inferInsert, unknown>>) =>
    ordinary.change(async (tx) => {
      await tx
        .update(deliveries)
        .set(values as object)
        .where(withId(id));
    });

  return {
    claimDue: (now, until, places) =>
      ordinary.change(async (tx) => {
        const claimed: DueDelivery[] = [];
        const active = await tx
          .select(webhookColumns)
          .from(webhooks)
          .where(isActive)
          .orderBy(asc(webhooks.id));
        for (const row of active) {
          const limit = places(row.id);
          if (limit <= 0) continue;
          const due = await claim(tx, row.id, now, until, limit);
          claimed.push(...due.map((delivery) => ({ ...delivery, webhook: toWebhook(row) })));
        }
        return claimed;
      }),

    findNextAttemptAt: () =>
      ordinary.read(async (db) => {
        const [next] = await db
          .select({ at: min(deliveries.nextAttemptAt) })
          .from(deliveries)
          .innerJoin(webhooks, and(eq(webhooks.id, deliveries.webhookId), isActive))
          .where(isNotNull(deliveries.nextAttemptAt));
        return next?.at ?? null;
      }),

    release: (id, now) => set(id, { nextAttemptAt: now }),

    recordDelivered: (id, at, lastStatusCode) =>
      set(id, {
        status: 'DELIVERED',
        attemptCount: attemptsMade,
        nextAttemptAt: null,
        lastAttemptAt: at,
        deliveredAt: at,
        lastStatusCode,
        lastError: null,
      }),

    recordFailed: (id, { at, statusCode, error, nextAttemptAt }) =>
      set(id, {
        status: nextAttemptAt === null ? 'DEAD' : 'PENDING',
        attemptCount: attemptsMade,
        nextAttemptAt,
        lastAttemptAt: at,
        lastStatusCode: statusCode,
        lastError: error,
      }),

    listDeliveries: (filter, page) =>
      read(async (db) => {
        const where = matching(filter);
        // Ids are in the order of creation; the index of a status has the time.
        const newestFirst = filter.status === undefined ? [] : [desc(deliveries.createdAt)];
        const rows = await select(db)
          .where(where)
          .orderBy(...newestFirst, desc(deliveries.id))
          .limit(page.size)
          .offset(offsetOf(page));
        const found = db.select(onlyCounted).from(deliveries).where(where).$dynamic();
        return { items: rows.map(toDelivery), total: await boundedTotalOf(db, found) };
      }),

    redeliver: (id, now) =>
      change(async (tx) => {
        const [before] = await select(tx).where(withId(id)).for('update', { of: deliveries });
        if (!before) return null;
        if (before.status === 'PENDING') return 'pending';
        await tx.update(deliveries).set(renewedDelivery(now)).where(withId(id));
        const [after] = await select(tx).where(withId(id));
        return after ? toDelivery(after) : null;
      }),

    redeliverDead: (webhookId, now) =>
      change(async (tx) => {
        const { id } = webhooks;
        const [webhook] = await tx.select({ id }).from(webhooks).where(eq(id, webhookId));
        if (!webhook) return null;
        const dead = and(eq(deliveries.webhookId, webhook.id), eq(deliveries.status, 'DEAD'));
        return (await tx.update(deliveries).set(renewedDelivery(now)).where(dead)).rowCount ?? 0;
      }),
  };
}

const select = (db: Db) =>
  db
    .select({ ...columns, event: eventColumns })
    .from(deliveries)
    .innerJoin(events, eq(events.place, deliveries.eventId));

const toDelivery = ({
  event,
  ...row
}: Omit<StoredDelivery, 'event'> & { event: Parameters<typeof toEvent>[0] }): StoredDelivery => ({
  ...row,
  event: toEvent(event),
});

/**
 * Takes due deliveries of one webhook that no other process is taking, by its index: a long queue of one receiver costs the
 * others nothing.
 */
async function claim(tx: Db, webhookId: string, now: number, until: number, limit: number) {
  const due = await tx
    .select({ id: deliveries.id })
    .from(deliveries)
    .where(and(eq(deliveries.webhookId, webhookId), lte(deliveries.nextAttemptAt, now)))
    .orderBy(asc(deliveries.nextAttemptAt), asc(deliveries.id))
    .limit(limit)
    .for('update', { skipLocked: true });
  if (due.length === 0) return [];
  const taken = inArray(
    deliveries.id,
    due.map(({ id }) => id),
  );
  await tx.update(deliveries).set({ nextAttemptAt: until }).where(taken);
  const found = new Map((await select(tx).where(taken)).map((row) => [row.id, toDelivery(row)]));
  return due.flatMap(({ id }) => {
    const delivery = found.get(id);
    return delivery ? [{ id, attemptCount: delivery.attemptCount, event: delivery.event }] : [];
  });
}

const matching = ({ webhookId, status }: DeliveryFilter): SQL | undefined =>
  and(
    webhookId === undefined ? undefined : eq(deliveries.webhookId, webhookId),
    status === undefined ? undefined : eq(deliveries.status, status),
  );
