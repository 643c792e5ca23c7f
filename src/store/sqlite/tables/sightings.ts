import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { evaluationSessions } from './evaluation-sessions.ts';

/** What a session keeps of the identifiers it has seen. WITHOUT ROWID, which drizzle has no word for. */
export const sightings = sqliteTable(
  'sightings',
  {
    sessionId: integer()
      .notNull()
      .references(() => evaluationSessions.id),
    digest: text().notNull(),
    data: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.sessionId, table.digest] })],
);

/** One row: random, made by the migration. */
export const installationSalts = sqliteTable('installation_salts', {
  id: integer().primaryKey(),
  salt: text().notNull(),
});
