import { integer, pgTable, uuid } from 'drizzle-orm/pg-core';
import { big } from './columns.ts';
import { integrations } from './shared.ts';

/** Of integrations with a quota for it. */
export const integrationUsage = pgTable('integration_usage', {
  integrationId: uuid()
    .primaryKey()
    .references(() => integrations.id),
  /** Days since 1970, UTC. */
  day: integer().notNull(),
  /** Stored on that day. */
  bytes: big().notNull(),
});
