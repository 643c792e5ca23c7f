import { integer, pgTable } from 'drizzle-orm/pg-core';
import { time } from './columns.ts';

/** One row, once it was kept: what is known of the time, so that it never runs backwards. */
export const clock = pgTable('clock', {
  id: integer().primaryKey(),
  latestAt: time().notNull(),
  /** Null unless the clock jumped ahead and nobody has confirmed it: the time before. */
  retentionHeldAt: time(),
});
