import { sql } from 'drizzle-orm';
import { bigserial, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { deliveryStatuses } from '../../../features/webhooks/words.ts';
import { big, time, webhooks } from './shared.ts';

export const events = pgTable(
  'events',
  {
    /** In the order in which events were written; transactions may commit in another one. */
    place: bigserial({ mode: 'number' }).primaryKey(),
    id: uuid().notNull(),
    type: text().notNull(),
    at: time().notNull(),
    integrationId: uuid(),
    subject: text().notNull(),
    data: text().notNull(),
    /** The process that wrote it, which tells of it. */
    writer: uuid().notNull(),
    /**
     * Its number for readers, and the bytes of all events up to it. Given after the commit, so that a reader never passes an
     * event that is not committed yet; null until then.
     */
    sequence: big(),
    totalBytes: big(),
  },
  (table) => [
    uniqueIndex('events_by_sequence').on(table.sequence),
    index('events_unnumbered').on(table.place).where(sql`sequence IS NULL`),
  ],
);

/** One row: the number of the latest event, and the bytes of all events that were ever numbered. Its lock is for numbering. */
export const eventLog = pgTable('event_log', {
  id: integer().primaryKey(),
  sequence: big().notNull(),
  totalBytes: big().notNull(),
});

export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    id: uuid().primaryKey(),
    webhookId: uuid()
      .notNull()
      .references(() => webhooks.id, { onDelete: 'cascade' }),
    /** An event stays while a delivery waits; deliveries that have ended go with it. */
    eventId: big()
      .notNull()
      .references(() => events.place, { onDelete: 'cascade' }),
    status: text({ enum: deliveryStatuses }).notNull(),
    attemptCount: integer().notNull(),
    nextAttemptAt: time(),
    lastAttemptAt: time(),
    deliveredAt: time(),
    lastStatusCode: integer(),
    lastError: text(),
    createdAt: time().notNull(),
  },
  (table) => [
    uniqueIndex('webhook_deliveries_by_event').on(table.eventId, table.webhookId),
    index('webhook_deliveries_due').on(table.webhookId, table.nextAttemptAt),
    // An event stays as long as one of these names it.
    index('webhook_deliveries_waiting').on(table.eventId).where(sql`next_attempt_at IS NOT NULL`),
    index('webhook_deliveries_by_webhook').on(table.webhookId, table.status, table.createdAt),
    index('webhook_deliveries_by_status').on(table.status, table.createdAt),
  ],
);

/** One row: the number up to which events were looked at for webhooks. */
export const webhookProgress = pgTable('webhook_progress', {
  id: integer().primaryKey(),
  sequence: big().notNull(),
});
