import { and, asc, eq, gt, inArray, isNotNull, lte, min } from 'drizzle-orm';
import {
  createDeliveryStore,
  createWebhookStore,
  type DueDelivery,
  toWebhook,
  type WebhookDeliveryStore,
  type WebhookStore,
} from '../../features/webhooks/store.ts';
import { asPostgres } from '../../sql/postgres/sql.ts';
import { call, type Sql } from '../../sql/steps.ts';
import type { Db, Postgres } from './database.ts';
import { eventColumns, latestEvent, numberAll, numberEvents, storedColumns, toEvent } from './events.ts';
import { webhookDeliveries as deliveries, events, webhookProgress, webhooks } from './tables.ts';

/** Events that are looked at in one change. */
const eventsAtOnce = 100;

const isActive = eq(webhooks.status, 'ACTIVE');

/** `sql` is for operators: what they change is recorded. `ordinary` is for deliveries. */
export const createWebhooks = (sql: Sql, ordinary: Sql, postgres: Postgres): WebhookStore => ({
  ...createWebhookStore(sql, {
    startingAt: (db, isFirst) => call(() => startingAt(asPostgres(db), isFirst)),
  }),
  ...createDeliveryStore(sql, ordinary, eventColumns),
  ...createDeliveries(postgres),
});

function createDeliveries(
  ordinary: Postgres,
): Pick<WebhookDeliveryStore, 'fanOut' | 'claimDue' | 'findNextAttemptAt'> {
  return {
    /** Its row lock lets one process at a time make deliveries: each event is looked at once. */
    async fanOut(now, matches, newId) {
      // Looked at first, after every commit with events: without webhooks and events nothing is written.
      if (!(await ordinary.read(hasWebhooks))) return false;
      await numberAll(ordinary);
      if (!(await ordinary.read(isBehind))) return false;
      return ordinary.change(async (tx) => {
        const [progress] = await tx.select().from(webhookProgress).for('update', { skipLocked: true });
        // Another process is at it, and goes on until nothing is left.
        if (!progress) return false;
        const next = await tx
          .select({ ...storedColumns, place: events.place })
          .from(events)
          .where(gt(events.sequence, progress.sequence))
          .orderBy(asc(events.sequence))
          .limit(eventsAtOnce);
        const last = next.at(-1);
        if (!last) return false;
        const listening = await tx.select().from(webhooks).where(eq(webhooks.status, 'ACTIVE'));
        const made = next.flatMap(({ place, ...row }) => {
          const event = toEvent(row);
          return listening
            .filter((webhook) => event.sequence > webhook.afterEvent && matches(toWebhook(webhook), event))
            .map((webhook) => ({
              id: newId(),
              webhookId: webhook.id,
              eventId: place,
              status: 'PENDING' as const,
              attemptCount: 0,
              nextAttemptAt: now,
              createdAt: now,
            }));
        });
        // An event becomes at most one delivery of a webhook.
        if (made.length > 0) await tx.insert(deliveries).values(made).onConflictDoNothing();
        await tx.update(webhookProgress).set({ sequence: toEvent(last).sequence });
        return next.length === eventsAtOnce;
      });
    },

    claimDue: (now, until, places) =>
      ordinary.change(async (tx) => {
        const claimed: DueDelivery[] = [];
        const active = await tx.select().from(webhooks).where(isActive).orderBy(asc(webhooks.id));
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
  };
}

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
  const found = await tx
    .select({ id: deliveries.id, attemptCount: deliveries.attemptCount, event: storedColumns })
    .from(deliveries)
    .innerJoin(events, eq(events.place, deliveries.eventId))
    .where(taken);
  const known = new Map(found.map((row) => [row.id, { ...row, event: toEvent(row.event) }]));
  return due.flatMap(({ id }) => known.get(id) ?? []);
}

const hasWebhooks = async (db: Db): Promise<boolean> =>
  (await db.select({ id: webhooks.id }).from(webhooks).limit(1)).length > 0;

async function isBehind(db: Db): Promise<boolean> {
  const [progress] = await db.select().from(webhookProgress);
  return (progress?.sequence ?? 0) < (await latestEvent(db)).sequence;
}

/** The number of the latest event, where the first webhook starts. Events that are committed have theirs now. */
async function startingAt(tx: Db, isFirst: boolean): Promise<number> {
  const latest = await numberEvents(tx);
  if (isFirst) await tx.update(webhookProgress).set({ sequence: latest });
  return latest;
}
