import { and, count, desc, eq, type SQL, sql } from 'drizzle-orm';
import type { StoredEvent } from '../events.ts';
import { mostCounted, offsetOf } from '../pages.ts';
import { renewedDelivery } from '../stored-webhooks.ts';
import type { DeliveryFilter, StoredDelivery, WebhookStore } from '../webhooks.ts';
import type { Sqlite } from './database.ts';
import { prepareHotRead } from './hot-statement.ts';
import { webhookDeliveries as deliveries, events, webhooks } from './tables.ts';
import { eventColumns, prepareWebhookRows, toWebhook } from './webhook-rows.ts';

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

const columns = {
  id: deliveries.uid,
  webhookId: webhooks.uid,
  status: deliveries.status,
  attemptCount: deliveries.attemptCount,
  nextAttemptAt: deliveries.nextAttemptAt,
  lastAttemptAt: deliveries.lastAttemptAt,
  deliveredAt: deliveries.deliveredAt,
  lastStatusCode: deliveries.lastStatusCode,
  lastError: deliveries.lastError,
  createdAt: deliveries.createdAt,
};
const attemptsMade = sql<number>`${deliveries.attemptCount} + 1`;

interface Claimed {
  id: string;
  attemptCount: number;
  eventId: number;
}

export function createWebhookDeliveries({ client, db, writer, read }: Sqlite, ordinary: Sqlite): Deliveries {
  const withId = (id: string): SQL => eq(deliveries.uid, id.toLowerCase());
  const change = (id: string, set: Partial<Record<keyof typeof deliveries.$inferInsert, unknown>>) =>
    ordinary.writer.run(
      () =>
        void db
          .update(deliveries)
          .set(set as object)
          .where(withId(id))
          .run(),
    );
  const select = (where: SQL | undefined) =>
    db
      .select({ ...columns, event: eventColumns })
      .from(deliveries)
      .innerJoin(webhooks, eq(webhooks.id, deliveries.webhookId))
      .innerJoin(events, eq(events.id, deliveries.eventId))
      .where(where);
  const find = (id: string): StoredDelivery | null => select(withId(id)).get() ?? null;
  const allWebhooks = prepareWebhookRows({ client, db });

  // Each takes its place in the index of one webhook: a long queue of one receiver costs the others nothing.
  const due = client
    .prepare<[number, number, number], number>(
      `SELECT id FROM webhook_deliveries WHERE webhook_id = ? AND next_attempt_at IS NOT NULL AND next_attempt_at <= ?
       ORDER BY next_attempt_at LIMIT ?`,
    )
    .pluck();
  const claim = client.prepare<[number, number], Claimed>(
    `UPDATE webhook_deliveries SET next_attempt_at = ? WHERE id = ?
     RETURNING uid AS id, attempt_count AS attemptCount, event_id AS eventId`,
  );
  const eventAt = prepareHotRead<StoredEvent, [number]>(
    client,
    eventColumns,
    db
      .select(eventColumns)
      .from(events)
      .where(eq(events.id, sql.placeholder('id'))),
    ['id'],
  );
  const delivered = client.prepare<[number, number, number | null, string]>(
    `UPDATE webhook_deliveries SET status = 'DELIVERED', attempt_count = attempt_count + 1, next_attempt_at = NULL,
       last_attempt_at = ?, delivered_at = ?, last_status_code = ?, last_error = NULL WHERE uid = ?`,
  );
  const next = client
    .prepare<[], number | null>(
      `SELECT min(at) FROM (
         SELECT (SELECT next_attempt_at FROM webhook_deliveries
                 WHERE webhook_id = webhooks.id AND next_attempt_at IS NOT NULL ORDER BY next_attempt_at LIMIT 1) AS at
         FROM webhooks WHERE status = 'ACTIVE')`,
    )
    .pluck();

  return {
    claimDue: (now, until, places) =>
      ordinary.writer.run(() =>
        allWebhooks().flatMap((found) => {
          const limit = found.status === 'ACTIVE' ? places(found.id) : 0;
          if (limit <= 0) return [];
          const webhook = toWebhook(found);
          return due.all(found.row, now, limit).map((row) => {
            const { id, attemptCount, eventId } = claim.get(until, row) as ReturnType<typeof claim.get> &
              object;
            return { id, attemptCount, event: eventAt.get(eventId) as StoredEvent, webhook };
          });
        }),
      ),

    findNextAttemptAt: () => ordinary.look(() => next.get() ?? null),

    release: (id, now) => change(id, { nextAttemptAt: now }),

    recordDelivered: (id, at, statusCode) =>
      ordinary.writer.run(() => void delivered.run(at, at, statusCode, id.toLowerCase())),

    recordFailed: (id, { at, statusCode, error, nextAttemptAt }) =>
      change(id, {
        status: nextAttemptAt === null ? 'DEAD' : 'PENDING',
        attemptCount: attemptsMade,
        nextAttemptAt,
        lastAttemptAt: at,
        lastStatusCode: statusCode,
        lastError: error,
      }),

    listDeliveries: (filter, page) =>
      read(() => {
        const where = matching(filter);
        const counted = db
          .select({ one: sql`1` })
          .from(deliveries)
          .where(where)
          .limit(mostCounted + 1)
          .as('counted');
        return {
          items: select(where).orderBy(desc(deliveries.id)).limit(page.size).offset(offsetOf(page)).all(),
          total: db.select({ total: count() }).from(counted).get()?.total ?? 0,
        };
      }),

    redeliver: (id, now) =>
      writer.run(() => {
        const before = find(id);
        if (!before) return null;
        if (before.status === 'PENDING') return 'pending';
        db.update(deliveries).set(renewedDelivery(now)).where(withId(id)).run();
        return find(id);
      }),

    redeliverDead: (webhookId, now) =>
      writer.run(() => {
        const webhook = db
          .select({ row: webhooks.id })
          .from(webhooks)
          .where(eq(webhooks.uid, webhookId.toLowerCase()))
          .get();
        if (!webhook) return null;
        const dead = and(eq(deliveries.webhookId, webhook.row), eq(deliveries.status, 'DEAD'));
        return db.update(deliveries).set(renewedDelivery(now)).where(dead).run().changes;
      }),
  };
}

const matching = ({ webhookId, status }: DeliveryFilter): SQL | undefined =>
  and(
    webhookId === undefined
      ? undefined
      : sql`${deliveries.webhookId} = (SELECT id FROM ${webhooks} WHERE uid = ${webhookId.toLowerCase()})`,
    status === undefined ? undefined : eq(deliveries.status, status),
  );
