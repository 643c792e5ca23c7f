import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { events } from './events.ts';

export const webhooks = sqliteTable('webhooks', {
  id: integer().primaryKey(),
  uid: text().notNull().unique(),
  name: text().notNull(),
  format: text({ enum: ['EVENTS', 'SLACK', 'TEAMS', 'EMAIL'] }).notNull(),
  status: text({ enum: ['ACTIVE', 'DISABLED'] }).notNull(),
  destination: text().notNull(),
  secret: text(),
  previousSecret: text(),
  previousSecretUntil: integer(),
  /** JSON lists. */
  types: text().notNull(),
  integrationIds: text().notNull(),
  minSeverity: text({ enum: ['LOW', 'MEDIUM', 'HIGH', 'CRITICAL'] }),
  /** It hears of events after this place. */
  afterEvent: integer().notNull(),
  createdAt: integer().notNull(),
  updatedAt: integer().notNull(),
});

export const webhookDeliveries = sqliteTable(
  'webhook_deliveries',
  {
    id: integer().primaryKey(),
    uid: text().notNull().unique(),
    webhookId: integer()
      .notNull()
      .references(() => webhooks.id, { onDelete: 'cascade' }),
    /** An event stays while a delivery waits; deliveries that have ended go with it. */
    eventId: integer()
      .notNull()
      .references(() => events.id, { onDelete: 'cascade' }),
    status: text({ enum: ['PENDING', 'DELIVERED', 'DEAD'] }).notNull(),
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
