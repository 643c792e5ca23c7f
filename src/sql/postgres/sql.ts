import { sql } from 'drizzle-orm';
import type { Postgres, Db as PostgresDb } from '../../store/postgres/database.ts';
import type { Revisions } from '../../store/postgres/revisions.ts';
import * as tables from '../../store/postgres/tables.ts';
import { call, type Db, type Dialect, type Request, run, type Sql, type Step } from '../steps.ts';

/** The tables as stores that are written for both databases see them. */
export const sharedTables = tables as unknown as Sql['tables'];

interface Lockable<Query> {
  for(strength: 'update', options: { of: unknown; skipLocked: true }): Query;
}

export const postgresDialect: Dialect = {
  tables: sharedTables,
  hot: tables as unknown as Dialect['hot'],
  keysAreInOrder: false,
  isOperator: (id, { id: own } = sharedTables.operators) => sql`${own}::text = ${id}`,
  hasMember: (list, text) =>
    sql`EXISTS (SELECT 1 FROM json_array_elements_text(${list}::json) AS member WHERE member = ${text})`,
  jsonList: (members, order, from) =>
    sql<string>`coalesce((SELECT json_agg(json_build_object(${members}) ORDER BY ${order}) FROM ${from})::text, '[]')`,
  lockFree: (query, of) => (query as Lockable<typeof query>).for('update', { of, skipLocked: true }),
  flag: (value) => value as unknown as number,
};

/** Rows of one INSERT: PostgreSQL takes 65,535 values. */
const rowsAtOnce = 1_000;

export const createPostgresSql = ({ read, change }: Postgres, revisions: Revisions): Sql => ({
  ...postgresDialect,
  read: (steps) => read((db) => runSteps(steps(asSqlite(db)))),
  look: (steps) => read((db) => runSteps(steps(asSqlite(db)))),
  change: (steps) => change((tx) => runSteps(steps(asSqlite(tx)))),
  *insertAll(db, table, rows) {
    for (let start = 0; start < rows.length; start += rowsAtOnce)
      yield* run(db.insert(table).values(rows.slice(start, start + rowsAtOnce)));
  },
  raiseRevision: (db, integrationId) => call(() => revisions.raise(asPostgres(db), integrationId)),
  raiseBound: (db, policyId) => call(() => revisions.raiseBound(asPostgres(db), policyId)),
  raiseRevisions: (db) => call(() => revisions.raiseAll(asPostgres(db))),
});

export const asSqlite = (db: PostgresDb): Db => db as unknown as Db;
/** The database that `asSqlite` was given. */
export const asPostgres = (db: Db): PostgresDb => db as unknown as PostgresDb;

export async function runSteps<T>(steps: Step<T>): Promise<T> {
  let next = steps.next();
  while (!next.done) {
    const request = next.value;
    next = steps.next(await answerTo(request));
  }
  return next.value;
}

function answerTo(request: Request): unknown {
  if (request.kind === 'call') return request.work();
  if (request.kind !== 'prepared') return request.query;
  const { db, statement, values } = request;
  return (statement(db) as { execute(values: object): unknown }).execute(values);
}
