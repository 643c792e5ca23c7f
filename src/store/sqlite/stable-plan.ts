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
