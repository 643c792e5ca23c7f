import { getTableColumns, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Sqlite } from '../../store/sqlite/database.ts';
import { type BuiltQuery, prepareHot, prepareNamedRead } from '../../store/sqlite/hot-statement.ts';
import type { Revisions } from '../../store/sqlite/revisions.ts';
import * as tables from '../../store/sqlite/tables.ts';
import { call, type Db, type Dialect, type Sql, type Step } from '../steps.ts';

export const sqliteDialect: Dialect = {
  tables,
  hot: tables,
  keysAreInOrder: true,
  isOperator: (id, { id: own } = tables.operators) => sql`${own} = ${id}`,
  hasMember: (list, text) => sql`EXISTS (SELECT 1 FROM json_each(${list}) WHERE value = ${text})`,
  jsonList: (members, order, from) =>
    sql<string>`(SELECT json_group_array(json_object(${members}) ORDER BY ${order}) FROM ${from})`,
  // A change has the database to itself.
  lockFree: (query) => query,
  flag: Number,
};

export function createSqliteSql(
  { client, db, steady, writer, read, look }: Sqlite,
  revisions: Revisions,
): Sql {
  const statements = new WeakMap<object, Prepared>();
  function prepare(statement: (db: Db) => object): Prepared {
    const known = statements.get(statement);
    if (known) return known;
    const made = prepareNamedRead(client, statement(steady) as BuiltQuery);
    statements.set(statement, made);
    return made;
  }
  const inserts = new WeakMap<SQLiteTable, (row: Readonly<Record<string, unknown>>) => void>();
  function insertOf(table: SQLiteTable) {
    const known = inserts.get(table);
    if (known) return known;
    const names = Object.keys(getTableColumns(table));
    const values = Object.fromEntries(names.map((name) => [name, sql.placeholder(name)]));
    const statement = prepareHot<unknown[]>(client, db.insert(table).values(values), names);
    const insert = (row: Readonly<Record<string, unknown>>): void =>
      void statement.run(...names.map((name) => row[name]));
    inserts.set(table, insert);
    return insert;
  }
  return {
    ...sqliteDialect,
    insertAll: (_, table, rows) => call(() => rows.forEach(insertOf(table))),
    read: (steps) => read(() => runSteps(steps(db), prepare)),
    look: (steps) => look(() => runSteps(steps(db), prepare)),
    change: (steps) => writer.run(() => runSteps(steps(db), prepare)),
    raiseRevision: (_, integrationId) => call(() => revisions.raise(integrationId)),
    raiseBound: (_, policyId) => call(() => revisions.raiseBound(policyId)),
    raiseRevisions: () => call(() => revisions.raiseAll()),
  };
}

interface Runnable {
  all(): unknown;
  run(): unknown;
}

interface Prepared {
  all(values: Readonly<Record<string, unknown>>): unknown;
}

export function runSteps<T>(
  steps: Step<T>,
  prepare: (statement: (db: Db) => object) => Prepared = noneIsPrepared,
): T {
  let next = steps.next();
  while (!next.done) {
    const request = next.value;
    if (request.kind === 'call') next = steps.next(request.work());
    else if (request.kind === 'prepared') next = steps.next(prepare(request.statement).all(request.values));
    else {
      const query = request.query as Runnable;
      next = steps.next(request.kind === 'rows' ? query.all() : query.run());
    }
  }
  return next.value;
}

function noneIsPrepared(): never {
  throw new Error('these steps run outside a store, where no statement is prepared');
}
