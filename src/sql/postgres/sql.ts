import { type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import type { Postgres, Db as PostgresDb } from '../../store/postgres/database.ts';
import type { Revisions } from '../../store/postgres/revisions.ts';
import * as tables from '../../store/postgres/tables.ts';
import { call, type Db, type Sql, type Step } from '../steps.ts';

/** The tables as stores that are written for both databases see them. */
export const sharedTables = tables as unknown as Sql['tables'];

export const createPostgresSql = ({ read, change }: Postgres, revisions: Revisions): Sql => ({
  tables: sharedTables,
  read: (steps) => read((db) => runSteps(steps(asSqlite(db)))),
  look: (steps) => read((db) => runSteps(steps(asSqlite(db)))),
  change: (steps) => change((tx) => runSteps(steps(asSqlite(tx)))),
  raiseRevision: (db, integrationId) => call(() => revisions.raise(asPostgres(db), integrationId)),
  raiseRevisions: (db) => call(() => revisions.raiseAll(asPostgres(db))),
  isOperator: (id, { id: own } = tables.operators as unknown as Sql['tables']['operators']) =>
    sql`${own}::text = ${id}`,
  hasMember: (list, text) =>
    sql`EXISTS (SELECT 1 FROM json_array_elements_text(${list}::json) AS member WHERE member = ${text})`,
});

/** Of those who decided, claimed or wrote, whose ids are text: the command on the database is one, and other systems may give their own. */
export const isOperator = (table: { id: AnyPgColumn }, id: AnyPgColumn | SQL): SQL =>
  sql`${table.id}::text = ${id}`;

export const asSqlite = (db: PostgresDb): Db => db as unknown as Db;
/** What `asSqlite` was given. */
export const asPostgres = (db: Db): PostgresDb => db as unknown as PostgresDb;

export async function runSteps<T>(steps: Step<T>): Promise<T> {
  let next = steps.next();
  while (!next.done) {
    const request = next.value;
    next = steps.next(await (request.kind === 'call' ? request.work() : request.query));
  }
  return next.value;
}
