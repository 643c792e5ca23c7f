import type { RunResult, Statement } from 'better-sqlite3';
import { is, Param, Placeholder } from 'drizzle-orm';
import type { Client } from './client.ts';

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
  const { sql, params } = query.toSQL();
  const names = params.map(nameOf);
  if (names.length !== order.length || names.some((name, place) => name !== order[place])) {
    throw new Error(`the placeholders of a statement are ${names.join(', ')}, not ${order.join(', ')}`);
  }
  const statement: Statement<Values> = client.prepare(sql);
  return { run: (...values) => statement.run(...values) };
}

/** Null for a value that is no placeholder. Those of a column come wrapped with its encoder. */
function nameOf(param: unknown): string | null {
  const value = is(param, Param) ? param.value : param;
  return is(value, Placeholder) ? value.name : null;
}
