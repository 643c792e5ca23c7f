import { sql } from 'drizzle-orm';
import { index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { big, time } from './columns.ts';
import { events } from './events.ts';

export const webhooks = pgTable('webhooks', {
  id: uuid().primaryKey(),
  name: text().notNull(),
  format: text({ enum: ['EVENTS', 'SLACK', 'TEAMS', 'EMAIL'] }).notNull(),
  status: text({ enum: ['ACTIVE', 'DISABLED'] }).notNull(),
  destination: text().notNull(),
  secret: text(),
  previousSecret: text(),
  previousSecretUntil: time(),
  /** JSON lists. */
  types: text().notNull(),
  integrationIds: text().notNull(),
  minSeverity: text({ enum: ['LOW', 'MEDIUM', 'HIGH', 'CRITICAL'] }),
  /** It hears of events after this number. */
  afterEvent: big().notNull(),
  createdAt: time().notNull(),
  updatedAt: time().notNull(),
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
    status: text({ enum: ['PENDING', 'DELIVERED', 'DEAD'] }).notNull(),
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
