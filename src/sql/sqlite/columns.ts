import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/**
 * The words in which a table is declared once for both databases; `../postgres/columns.ts` has the same ones. Every table of SQLite
 * is STRICT (the migrations say so, because drizzle has no word for it).
 */
export const sqliteColumns = {
  table: sqliteTable,
  text,
  /** A UUID, in lower case. */
  uuid: () => text(),
  integer: () => integer(),
  /** Milliseconds since 1970 in UTC. */
  time: () => integer(),
  flag: () => integer({ mode: 'boolean' }),
  index,
  primaryKey,
};

export type Columns = typeof sqliteColumns;
