import { integer, sqliteTable } from 'drizzle-orm/sqlite-core';
import { integrations } from './shared.ts';

/** Of integrations with a quota for it. */
export const integrationUsage = sqliteTable('integration_usage', {
  integrationId: integer()
    .primaryKey()
    .references(() => integrations.row),
  /** Days since 1970, UTC. */
  day: integer().notNull(),
  /** Stored on that day. */
  bytes: integer().notNull(),
});
