import { integer, sqliteTable } from 'drizzle-orm/sqlite-core';

/** One row, once anything was recorded: what is known of the time, so that it never runs backwards. */
export const clock = sqliteTable('clock', {
  id: integer().primaryKey(),
  latestAt: integer().notNull(),
  /** Null unless the clock jumped ahead and nobody has confirmed it: the time before. */
  retentionHeldAt: integer(),
  /** Of the last correction: evaluations up to this one that lie ahead of that time count as made then. */
  correctedAt: integer(),
  correctedEvaluationId: integer(),
});
