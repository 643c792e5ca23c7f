import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { deliveryStatuses } from '../../../features/webhooks/words.ts';
import { webhooks } from './shared.ts';

export const events = sqliteTable('events', {
  /** Never used again once an event was deleted: readers resume after it. */
  id: integer().primaryKey({ autoIncrement: true }),
  uid: text().notNull(),
  type: text().notNull(),
  at: integer().notNull(),
  integrationId: text(),
  subject: text().notNull(),
  data: text().notNull(),
  /** Bytes of all events up to this one since the log was last empty. */
  totalBytes: integer().notNull(),
});

export const webhookDeliveries = sqliteTable(
  'webhook_deliveries',
  {
    id: integer().primaryKey(),
    uid: text().notNull().unique(),
    /** Its row: with UUIDs, deliveries take half as much space again and their inserts half as much time. */
    webhookId: integer()
      .notNull()
      .references(() => webhooks.row, { onDelete: 'cascade' }),
    /** An event stays while a delivery waits; deliveries that have ended go with it. */
    eventId: integer()
      .notNull()
      .references(() => events.id, { onDelete: 'cascade' }),
    status: text({ enum: deliveryStatuses }).notNull(),
    attemptCount: integer().notNull(),
    nextAttemptAt: integer(),
    lastAttemptAt: integer(),
    deliveredAt: integer(),
    lastStatusCode: integer(),
    lastError: text(),
    createdAt: integer().notNull(),
  },
  (table) => [
    uniqueIndex('webhook_deliveries_by_event').on(table.eventId, table.webhookId),
    index('webhook_deliveries_due').on(table.webhookId, table.nextAttemptAt),
    // An event stays as long as one of these names it.
    index('webhook_deliveries_waiting').on(table.eventId).where(sql`next_attempt_at IS NOT NULL`),
    index('webhook_deliveries_by_webhook').on(table.webhookId, table.status, table.id),
    index('webhook_deliveries_of_webhook').on(table.webhookId, table.id),
    index('webhook_deliveries_by_status').on(table.status, table.id),
  ],
);

/** One row: the place up to which events were looked at for webhooks. */
export const webhookProgress = sqliteTable('webhook_progress', {
  id: integer().primaryKey(),
  sequence: integer().notNull(),
});
