import type { RunResult, Statement } from 'better-sqlite3';
import { Column, fillPlaceholders, is, noopDecoder, Param, Placeholder, SQL } from 'drizzle-orm';
import { type BetterSQLite3Database, drizzle } from 'drizzle-orm/better-sqlite3';
import type { Client } from './client.ts';

/**
 * Drizzle for statements that are prepared once and run often: they keep their plan. SQLite looks at the values that a
 * statement compares with or is limited by, for a guess at how many rows there are, and so compiles the statement anew each
 * time one is bound: 8 µs for a look-up over two tables that runs in 1, 75 µs over five (ADR 0014). The guess is worth
 * nothing here, where no statistics are kept.
 */
export function steadyDrizzle(client: Client): BetterSQLite3Database {
  const steady: Pick<Client, 'prepare'> = {
    prepare: ((sql: string) => client.prepare(hideValues(sql))) as Client['prepare'],
  };
  return drizzle(steady as Client, { casing: 'snake_case' });
}

/** A unary plus changes no value (sqlite.org/lang_expr.html), and SQLite does not look behind it. */
export const hideValues = (sql: string): string =>
  sql.replace(/([=<>]|\b(?:limit|offset)) ([?@])/gi, '$1 +$2');

interface Decoder {
  mapFromDriverValue(value: unknown): unknown;
}

interface Query {
  toSQL(): { sql: string; params: unknown[] };
}

/**
 * A drizzle query that is run on the driver itself, with its values in the order of its placeholders: drizzle looks at
 * every value of every run again, which is a tenth of what an evaluation costs.
 */
export function prepareHot<Values extends unknown[]>(
  client: Client,
  query: Query,
  order: { [Place in keyof Values]: string },
): { run(...values: Values): RunResult } {
  // The statement itself: a function around it would copy the values of every run.
  return prepare<Values>(client, query, order);
}

/**
 * The same for a query that returns `fields`, which must be plain columns of text and integers: what drizzle does with
 * each value it reads costs more than reading it.
 */
export function prepareHotRead<Row extends object, Values extends unknown[]>(
  client: Client,
  fields: { [Name in keyof Row]: Column | SQL },
  query: Query & { all(): Row[] },
  order: { [Place in keyof Values]: string },
): {
  get(...values: Values): Row | undefined;
  all(...values: Values): Row[];
  /** Nothing else may run on the connection until the loop over it has ended. */
  iterate(...values: Values): Iterable<Row>;
} {
  const statement = prepare<Values>(client, query, order).raw();
  const toRow = rowReader<Row>(Object.keys(fields));
  return {
    get(...values) {
      const row = statement.get(...values);
      return row === undefined ? undefined : toRow(row);
    },
    all: (...values) => statement.all(...values).map(toRow),
    *iterate(...values) {
      for (const row of statement.iterate(...values)) yield toRow(row);
    },
  };
}

/** A query as drizzle builds it, which knows the columns that it reads. */
export interface BuiltQuery {
  toSQL(): { sql: string; params: unknown[] };
  readonly _: { readonly selectedFields: object };
}

/**
 * Prepares a query whose values are given by name, and whose rows are flat: without joined tables as members. Its rows are read
 * past drizzle, except for the values of columns that drizzle has to convert.
 */
export function prepareNamedRead(
  client: Client,
  query: BuiltQuery,
): { all(values: Readonly<Record<string, unknown>>): unknown[] } {
  const { sql, params } = query.toSQL();
  const statement = client.prepare(hideValues(sql)).raw();
  const fields = Object.entries(query._.selectedFields);
  const toRow = rowReader<Record<string, unknown>>(fields.map(([name]) => name));
  const converted = fields.flatMap(([name, field]) => {
    const decoder = decoderOf(field);
    return decoder ? [{ name, decoder }] : [];
  });
  function toConvertedRow(values: unknown): Record<string, unknown> {
    const row = toRow(values);
    for (const { name, decoder } of converted)
      if (row[name] !== null) row[name] = decoder.mapFromDriverValue(row[name]);
    return row;
  }
  const read = converted.length === 0 ? toRow : toConvertedRow;
  return { all: (values) => statement.all(...fillPlaceholders(params, values)).map(read) };
}

/** Null for a field whose values are as the database gives them. */
function decoderOf(field: unknown): Decoder | null {
  if (is(field, Column)) return isPlain(field) ? null : field;
  const expression = is(field, SQL.Aliased) ? field.sql : field;
  if (!is(expression, SQL)) throw new Error('a prepared query must read flat rows');
  const { decoder } = expression as unknown as { decoder: Decoder };
  if (decoder === noopDecoder || (is(decoder, Column) && isPlain(decoder))) return null;
  return decoder;
}

const isPlain = (column: Column): boolean =>
  column.mapFromDriverValue === Column.prototype.mapFromDriverValue;

/**
 * Makes an object of the values of a row. Written out by name, as a hand would: members that are added one by one take
 * ten times as long. The names are those of our own columns.
 */
function rowReader<Row>(names: readonly string[]): (values: unknown) => Row {
  const members = names.map((name, place) => `${JSON.stringify(name)}: values[${place}]`);
  return new Function('values', `return { ${members} };`) as (values: unknown) => Row;
}

function prepare<Values extends unknown[]>(
  client: Client,
  query: Query,
  order: readonly unknown[],
): Statement<Values> {
  const { sql, params } = query.toSQL();
  const names = params.map(nameOf);
  if (names.length !== order.length || names.some((name, place) => name !== order[place])) {
    throw new Error(`the placeholders of a statement are ${names.join(', ')}, not ${order.join(', ')}`);
  }
  return client.prepare(hideValues(sql));
}

/** Null for a value that is no placeholder. Those of a column come wrapped with its encoder. */
function nameOf(param: unknown): string | null {
  const value = is(param, Param) ? param.value : param;
  return is(value, Placeholder) ? value.name : null;
}
