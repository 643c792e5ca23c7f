import type { RunResult, Statement } from 'better-sqlite3';
import { type Column, is, Param, Placeholder, type SQL } from 'drizzle-orm';
import type { Client } from './client.ts';
import { hideValues } from './stable-plan.ts';

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
