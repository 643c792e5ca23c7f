import { bigint, boolean, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import type { Columns } from '../sqlite/columns.ts';

const columns: Record<keyof Columns, unknown> = {
  table: pgTable,
  text,
  uuid: () => uuid(),
  integer: () => integer(),
  time: () => bigint({ mode: 'number' }),
  flag: () => boolean(),
  index,
  primaryKey,
};

/** Typed as SQLite's: stores that are written for both databases know one type of table. */
export const postgresColumns = columns as Columns;
