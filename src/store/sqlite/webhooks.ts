import { asc, count, desc, eq, gt, sql } from 'drizzle-orm';
import type { StoredEvent } from '../events.ts';
import { offsetOf } from '../pages.ts';
import { filterColumns } from '../stored-webhooks.ts';
import type { StoredWebhook, WebhookStore } from '../webhooks.ts';
import type { Sqlite } from './database.ts';
import { prepareHotRead } from './hot-statement.ts';
import { events, webhooks } from './tables.ts';
import { createWebhookDeliveries } from './webhook-deliveries.ts';
import {
  eventColumns,
  prepareWebhookRows,
  toWebhook,
  type WebhookRow,
  webhookColumns,
} from './webhook-rows.ts';

const { id: row, uid } = webhooks;

/** Events that are looked at in one change. */
const eventsAtOnce = 100;
/** `sqlite` is for operators: what they change is recorded. `ordinary` is for deliveries. */
export function createWebhooks(sqlite: Sqlite, ordinary: Sqlite): WebhookStore {
  const { client, db, writer, read } = sqlite;
  const latest = client.prepare<[], number>("SELECT seq FROM sqlite_sequence WHERE name = 'events'").pluck();
  const one = client.prepare<[], number>('SELECT 1 FROM webhooks LIMIT 1').pluck();
  const rowOf = (id: string): WebhookRow | undefined =>
    db.select(webhookColumns).from(webhooks).where(eq(uid, id.toLowerCase())).get();
  const find = (id: string): StoredWebhook | null => {
    const found = rowOf(id);
    return found ? toWebhook(found) : null;
  };
  const all = prepareWebhookRows(sqlite);
  const kept = client.prepare<[], number>('SELECT sequence FROM webhook_progress').pluck();
  const keep = client.prepare<[number]>(
    'INSERT INTO webhook_progress (id, sequence) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET sequence = excluded.sequence',
  );
  const eventsAfter = prepareHotRead<StoredEvent, [number, number]>(
    client,
    eventColumns,
    db
      .select(eventColumns)
      .from(events)
      .where(gt(events.id, sql.placeholder('after')))
      .orderBy(asc(events.id))
      .limit(sql.placeholder('size')),
    ['after', 'size'],
  );
  // An event becomes at most one delivery of a webhook.
  const addDelivery = client.prepare<[string, number, number, number, number]>(
    `INSERT INTO webhook_deliveries (uid, webhook_id, event_id, status, attempt_count, next_attempt_at, created_at)
     VALUES (?, ?, ?, 'PENDING', 0, ?, ?) ON CONFLICT DO NOTHING`,
  );

  /** Where the next look begins. Before the first one, events have no webhook to be sent to. */
  const progress = (): number => kept.get() ?? latest.get() ?? 0;

  return {
    ...createWebhookDeliveries(sqlite, ordinary),

    create: (webhook, most) =>
      writer.run(() => {
        const known = db.select({ total: count() }).from(webhooks).get()?.total ?? 0;
        if (known >= most) return null;
        const { id, types, integrationIds, createdAt, ...rest } = webhook;
        // What came before was for others.
        if (known === 0) keep.run(latest.get() ?? 0);
        db.insert(webhooks)
          .values({
            ...rest,
            types: JSON.stringify(types),
            integrationIds: JSON.stringify(integrationIds),
            uid: id,
            status: 'ACTIVE',
            afterEvent: latest.get() ?? 0,
            createdAt,
            updatedAt: createdAt,
          })
          .run();
        return find(id);
      }),

    find: (id) => read(() => find(id)),

    list: (page) =>
      read(() => ({
        items: db
          .select(webhookColumns)
          .from(webhooks)
          .orderBy(desc(row))
          .limit(page.size)
          .offset(offsetOf(page))
          .all()
          .map(toWebhook),
        total: db.select({ total: count() }).from(webhooks).get()?.total ?? 0,
      })),

    change: (id, { types, integrationIds, ...change }, now) =>
      writer.run(() => {
        db.update(webhooks)
          .set({
            ...change,
            ...filterColumns({ ...(types && { types }), ...(integrationIds && { integrationIds }) }),
            updatedAt: now,
          })
          .where(eq(uid, id.toLowerCase()))
          .run();
        return find(id);
      }),

    rotateSecret: (id, secret, previousSecretUntil, now) =>
      writer.run(() => {
        const before = rowOf(id);
        if (!before || before.secret === null) return null;
        db.update(webhooks)
          .set({ secret, previousSecret: before.secret, previousSecretUntil, updatedAt: now })
          .where(eq(row, before.row))
          .run();
        return find(id);
      }),

    delete: (id) =>
      writer.run(() => {
        const last = find(id);
        if (last) db.delete(webhooks).where(eq(uid, last.id)).run();
        return last;
      }),

    reseal: (seal) =>
      ordinary.writer.run(() => {
        for (const found of all()) {
          const sealed = seal(toWebhook(found));
          if (sealed) db.update(webhooks).set(sealed).where(eq(row, found.row)).run();
        }
      }),

    async fanOut(now, matches, newId) {
      // Looked at first, after every commit with events: without webhooks and events nothing is written.
      const isBehind = await ordinary.look(() => one.get() !== undefined && progress() < (latest.get() ?? 0));
      if (!isBehind) return false;
      return ordinary.writer.run(() => {
        const next = eventsAfter.all(progress(), eventsAtOnce);
        const last = next.at(-1);
        if (!last) return false;
        const hearing = all()
          .filter(({ status }) => status === 'ACTIVE')
          .map((found) => ({ ...found, webhook: toWebhook(found) }));
        for (const event of next) {
          for (const { row: webhookRow, afterEvent, webhook } of hearing) {
            if (event.sequence > afterEvent && matches(webhook, event))
              addDelivery.run(newId(), webhookRow, event.sequence, now, now);
          }
        }
        keep.run(last.sequence);
        return next.length === eventsAtOnce;
      });
    },
  };
}
