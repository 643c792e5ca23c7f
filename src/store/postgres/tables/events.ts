import { sql } from 'drizzle-orm';
import { bigserial, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { big, time } from './columns.ts';

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
