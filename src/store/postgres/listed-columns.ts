import { type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';

/** The text when it has at most so many bytes. */
export const narrow = <T>(column: AnyPgColumn | SQL, mostBytes: number): SQL<T | null> =>
  sql<T | null>`CASE WHEN octet_length(${column}) <= ${mostBytes} THEN ${column} END`;

/** The names of the texts that `narrow` leaves out, separated by commas. */
export const tooWide = (
  columns: Readonly<Record<string, AnyPgColumn | SQL>>,
  mostBytes: number,
): SQL<string> => {
  const names = Object.entries(columns).map(
    ([name, column]) =>
      sql`CASE WHEN octet_length(${column}) > ${mostBytes} THEN ${sql.raw(`'${name}'`)} END`,
  );
  return sql<string>`concat_ws(',', ${sql.join(names, sql`, `)})`;
};

/** No text has more bytes. */
export const anyBytes = 2_147_483_647;
