import { integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';

/** What a session keeps of the identifiers it has seen. */
export const sightings = pgTable(
  'sightings',
  {
    sessionId: uuid().notNull(),
    digest: text().notNull(),
    data: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.sessionId, table.digest] })],
);

/** One row: random, made when it is asked for first. */
export const installationSalts = pgTable('installation_salts', {
  id: integer().primaryKey(),
  salt: text().notNull(),
});
