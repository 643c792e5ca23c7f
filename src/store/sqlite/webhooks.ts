import { asc, count, desc, eq, gt } from 'drizzle-orm';
import type { StoredEvent } from '../events.ts';
import { offsetOf } from '../pages.ts';
import { filterColumns } from '../stored-webhooks.ts';
import type { StoredWebhook, WebhookStore } from '../webhooks.ts';
import type { Sqlite } from './database.ts';
import { events, webhookProgress, webhooks } from './tables.ts';
import { addDelivery, createWebhookDeliveries } from './webhook-deliveries.ts';
import { eventColumns, toWebhook, type WebhookRow, webhookColumns } from './webhook-rows.ts';

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
  const all = (): WebhookRow[] => db.select(webhookColumns).from(webhooks).orderBy(desc(row)).all();

  /** Where the next look begins. Before the first one, events have no webhook to be sent to. */
  function progress(): number {
    const kept = db.select().from(webhookProgress).get();
    return kept?.sequence ?? latest.get() ?? 0;
  }
  const setProgress = (place: number): void =>
    void db
      .insert(webhookProgress)
      .values({ id: 1, sequence: place })
      .onConflictDoUpdate({ target: webhookProgress.id, set: { sequence: place } })
      .run();

  return {
    ...createWebhookDeliveries(sqlite, ordinary),

    create: (webhook, most) =>
      writer.run(() => {
        const known = db.select({ total: count() }).from(webhooks).get()?.total ?? 0;
        if (known >= most) return null;
        const { id, types, integrationIds, createdAt, ...rest } = webhook;
        // What came before was for others.
        if (known === 0) setProgress(latest.get() ?? 0);
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
        const begin = progress();
        const next: StoredEvent[] = db
          .select(eventColumns)
          .from(events)
          .where(gt(events.id, begin))
          .orderBy(asc(events.id))
          .limit(eventsAtOnce)
          .all();
        const last = next.at(-1);
        if (!last) return false;
        const hearing = all().filter(({ status }) => status === 'ACTIVE');
        for (const event of next) {
          for (const found of hearing) {
            if (event.sequence <= found.afterEvent || !matches(toWebhook(found), event)) continue;
            addDelivery(db, { uid: newId(), webhookId: found.row, eventId: event.sequence, createdAt: now });
          }
        }
        setProgress(last.sequence);
        return next.length === eventsAtOnce;
      });
    },
  };
}
