import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core';
import { evaluations } from './tables.ts';

/** The text when it has at most so many bytes. SQLite finds the length without reading the text. */
export const narrow = <T>(column: AnySQLiteColumn | SQL, mostBytes: number | SQL) =>
  sql<T | null>`iif(octet_length(${column}) <= ${mostBytes}, ${column}, NULL)`;

/** The names of the texts that `narrow` leaves out, separated by commas. */
export const tooWide = (
  columns: Readonly<Record<string, AnySQLiteColumn | SQL>>,
  mostBytes: number | SQL,
) => {
  const names = Object.entries(columns).map(
    ([name, column]) => sql`iif(octet_length(${column}) > ${mostBytes}, ${sql.raw(`'${name}'`)}, NULL)`,
  );
  return sql<string>`concat_ws(',', ${sql.join(names, sql`, `)})`;
};

const { input, targetMetadata, detections, violations } = evaluations;
const wide = { input, targetMetadata, detections, violations };

/** The columns of an evaluation in a list: a page of evaluations with 1 MB each must not be read whole. */
export const listedEvaluation = (mostBytes: number | SQL) => ({
  ...getTableColumns(evaluations),
  input: narrow<string>(input, mostBytes),
  targetMetadata: narrow<string>(targetMetadata, mostBytes),
  detections: narrow<string>(detections, mostBytes),
  violations: narrow<string>(violations, mostBytes),
  omitted: tooWide(wide, mostBytes),
});
