import { bigint, integer, pgTable } from 'drizzle-orm/pg-core';

/** One row: evaluations up to this position have lost their content. Whoever deletes some locks it. */
export const contentRetention = pgTable('content_retention', {
  id: integer().primaryKey(),
  position: bigint({ mode: 'number' }).notNull(),
});
