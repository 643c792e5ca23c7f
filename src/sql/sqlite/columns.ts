import { check, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/**
 * The words in which a table is declared once for both databases; `../postgres/columns.ts` has the same ones. Every table of SQLite
 * is STRICT (the migrations say so, because drizzle has no word for it).
 */
export const sqliteColumns = {
  table: sqliteTable,
  text,
  /**
   * The key of a table that hot code of SQLite joins by an integer. PostgreSQL has `id` alone: a store that is written for both
   * databases must not use `row`.
   */
  key: () => ({ row: integer().primaryKey(), id: text().notNull().unique() }),
  /** The key of a table that evaluations write: the UUID is `uid` on SQLite, and `id` on PostgreSQL. */
  rowKey: () => ({ id: integer().primaryKey(), uid: text().notNull().unique() }),
  /** Refers to the `id` of such a table. */
  rowId: () => integer(),
  /** A UUID, in lower case. */
  uuid: () => text(),
  integer: () => integer(),
  /** An integer of 64 bits, which stays within JavaScript's exact ones. */
  big: () => integer(),
  /** Milliseconds since 1970 in UTC. */
  time: () => integer(),
  /** The key of a table whose rows are ordered by their insertion. */
  serial: () => integer().primaryKey(),
  flag: () => integer({ mode: 'boolean' }),
  /** A boolean of a table that evaluations write, by default false: 1 or 0 on SQLite. */
  bit: () => integer().notNull().default(0),
  index,
  check,
  primaryKey,
};

export type Columns = typeof sqliteColumns;
