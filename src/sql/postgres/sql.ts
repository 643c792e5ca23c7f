import type { Postgres, Db as PostgresDb } from '../../store/postgres/database.ts';
import { isOperator } from '../../store/postgres/operator-rows.ts';
import type { Revisions } from '../../store/postgres/revisions.ts';
import * as tables from '../../store/postgres/tables.ts';
import { call, type Db, type Sql, type Step } from '../steps.ts';

export const createPostgresSql = ({ read, change }: Postgres, revisions: Revisions): Sql => ({
  tables: tables as unknown as Sql['tables'],
  read: (steps) => read((db) => runSteps(steps(asSqlite(db)))),
  change: (steps) => change((tx) => runSteps(steps(asSqlite(tx)))),
  raiseRevisions: (db) => call(() => revisions.raiseAll(asPostgres(db))),
  isOperator: (id) => isOperator(tables.operators, id as unknown as Parameters<typeof isOperator>[1]),
});

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
