import { count, type SQL, sql } from 'drizzle-orm';
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import type { AnySQLiteColumn as SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { HotTables } from './hot-tables.ts';
import type { Tables } from './tables.ts';

/**
 * Stores of what is read and changed rarely (policies, lists, operators, …) are written once, as generators of statements. A
 * driver runs them: on SQLite synchronously, inside the transaction of the writer, so that no other change comes between two
 * statements; on PostgreSQL asynchronously, inside one transaction.
 *
 * The statements are built with drizzle. On PostgreSQL `Db` is that driver's builder, typed as SQLite's: a store uses only what
 * both databases understand, and the contract suite runs it on both.
 */
export type Db = BetterSQLite3Database;

/** The next request of a step; the driver answers with rows, or with the result of `call`. */
export type Request =
  | { readonly kind: 'rows' | 'run'; readonly query: object }
  | {
      readonly kind: 'prepared';
      readonly db: Db;
      readonly statement: (db: Db) => object;
      readonly values: Readonly<Record<string, unknown>>;
    }
  | { readonly kind: 'call'; readonly work: () => unknown };

/** A part of a read or a change: runs statements, and returns `T`. Call it with `yield*`. */
export type Step<T> = Generator<Request, T, unknown>;

/** A drizzle statement that returns rows. */
interface Query<T> {
  all(): T[];
}

export function* all<T>(query: Query<T>): Step<T[]> {
  return (yield { kind: 'rows', query }) as T[];
}

/** The first row, or null. */
export function* first<T>(query: Query<T>): Step<T | null> {
  return (yield* all(query))[0] ?? null;
}

/**
 * The rows of a statement with placeholders. SQLite keeps it prepared for the next time, because building and compiling its text
 * takes longer than running it: `statement` must be the same function each time.
 */
export function* prepared<T>(
  db: Db,
  statement: (db: Db) => Query<T>,
  values: Readonly<Record<string, unknown>>,
): Step<T[]> {
  return (yield { kind: 'prepared', db, statement, values }) as T[];
}

/** Runs a statement that returns no rows. */
export function* run(query: { run(): unknown }): Step<void> {
  yield { kind: 'run', query };
}

/** Runs code that each database has of its own: it returns at once on SQLite, and a promise on PostgreSQL. */
export function* call<T>(work: () => T | Promise<T>): Step<T> {
  return (yield { kind: 'call', work }) as T;
}

/** How many rows of a table match. */
export function* totalOf(db: Db, table: SQLiteTable, where?: SQL): Step<number> {
  return (yield* first(db.select({ total: count() }).from(table).where(where)))?.total ?? 0;
}

/** The same, counted up to `most`: one more when there are more. */
export function* boundedTotalOf(
  db: Db,
  table: SQLiteTable,
  where: SQL | undefined,
  most: number,
): Step<number> {
  const found = db
    .select({ one: sql`1`.as('one') })
    .from(table)
    .where(where);
  const counted = db.select({ total: count() }).from(found.limit(most + 1).as('counted'));
  return (yield* first(counted))?.total ?? 0;
}

/** The tables, and the words that both databases do not have in common. */
export interface Dialect {
  readonly tables: Tables;
  readonly hot: HotTables;
  /**
   * Whether the row of `operators`, or of an alias of that table, has this id. The id is a text, because the command on the database
   * is an author, too.
   */
  isOperator(id: SQLiteColumn | SQL, alias?: { id: SQLiteColumn | SQL }): SQL;
  /** Whether a column's JSON list has this text. */
  hasMember(list: SQLiteColumn, text: string): SQL;
  /** A subquery that returns a JSON list of objects, as text. `members` are names and values in turn; `from` follows FROM. */
  jsonList(members: SQL, order: SQL, from: SQL): SQL<string>;
  /** Locks the rows of `table` that a query returns, and leaves out those that another transaction has locked. */
  lockFree<Query>(query: Query, table: SQLiteTable): Query;
  /** A boolean as columns of hot tables have it: SQLite's are integers. */
  flag(value: boolean): number;
  /** Whether the keys of hot tables are in the order of insertion. */
  readonly keysAreInOrder: boolean;
}

/** The database as these stores see it. */
export interface Sql extends Dialect {
  /** Runs a read, whose statements all see the same moment, and returns once everything that it saw is on disk. */
  read<T>(steps: (db: Db) => Step<T>): Promise<T>;
  /**
   * The same without the wait, to read who the caller is: the response waits for the disk anyway. On PostgreSQL, whose reads see
   * only what is committed, it is `read`.
   */
  look<T>(steps: (db: Db) => Step<T>): Promise<T>;
  /** Runs a change as one transaction, and returns once it is on disk. The steps may be run again after a failure. */
  change<T>(steps: (db: Db) => Step<T>): Promise<T>;
  /**
   * Inserts rows that have a value for every column. For thousands of rows, building and compiling a statement with all of their values
   * takes longer than inserting them: SQLite runs one prepared statement for each.
   */
  insertAll<T extends SQLiteTable>(
    db: Db,
    table: T,
    rows: readonly Required<T['$inferInsert']>[],
  ): Step<void>;
  /** Says that what decides has changed for one integration. */
  raiseRevision(db: Db, integrationId: string): Step<void>;
  /** The same for those that a policy decides for: all of them for a house policy. */
  raiseBound(db: Db, policyId: string): Step<void>;
  /** The same for every integration. */
  raiseRevisions(db: Db): Step<void>;
}
