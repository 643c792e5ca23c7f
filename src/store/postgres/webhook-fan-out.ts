import { asc, eq, gt } from 'drizzle-orm';
import { toWebhook } from '../stored-webhooks.ts';
import type { WebhookStore } from '../webhooks.ts';
import type { Db, Postgres } from './database.ts';
import { numberAll } from './event-numbers.ts';
import { eventColumns, latestEvent, toEvent } from './events.ts';
import { events, webhookDeliveries, webhookProgress, webhooks } from './tables.ts';

/** Events that are looked at in one change. */
const eventsAtOnce = 100;

/** Its row lock lets one process at a time make deliveries: each event is looked at once. */
export const createFanOut = (postgres: Postgres): Pick<WebhookStore, 'fanOut'> => ({
  async fanOut(now, matches, newId) {
    // Looked at first, after every commit with events: without webhooks and events nothing is written.
    if (!(await postgres.read(hasWebhooks))) return false;
    await numberAll(postgres);
    if (!(await postgres.read(isBehind))) return false;
    return postgres.change(async (tx) => {
      const [progress] = await tx.select().from(webhookProgress).for('update', { skipLocked: true });
      // Another process is at it, and goes on until nothing is left.
      if (!progress) return false;
      const next = await tx
        .select({ ...eventColumns, place: events.place })
        .from(events)
        .where(gt(events.sequence, progress.sequence))
        .orderBy(asc(events.sequence))
        .limit(eventsAtOnce);
      const last = next.at(-1);
      if (!last) return false;
      const listening = await tx.select().from(webhooks).where(eq(webhooks.status, 'ACTIVE'));
      const deliveries = next.flatMap(({ place, ...row }) => {
        const event = toEvent(row);
        return listening
          .filter(
            ({ afterEvent, ...found }) => event.sequence > afterEvent && matches(toWebhook(found), event),
          )
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
      if (deliveries.length > 0) await tx.insert(webhookDeliveries).values(deliveries).onConflictDoNothing();
      await tx.update(webhookProgress).set({ sequence: toEvent(last).sequence });
      return next.length === eventsAtOnce;
    });
  },
});

const hasWebhooks = async (db: Db): Promise<boolean> =>
  (await db.select({ id: webhooks.id }).from(webhooks).limit(1)).length > 0;

async function isBehind(db: Db): Promise<boolean> {
  const [progress] = await db.select().from(webhookProgress);
  return (progress?.sequence ?? 0) < (await latestEvent(db));
}
