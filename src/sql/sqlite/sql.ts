import { eq, sql } from 'drizzle-orm';
import type { Sqlite } from '../../store/sqlite/database.ts';
import type { Revisions } from '../../store/sqlite/revisions.ts';
import * as tables from '../../store/sqlite/tables.ts';
import { call, type Sql, type Step } from '../steps.ts';

export const createSqliteSql = ({ db, writer, read, look }: Sqlite, revisions: Revisions): Sql => ({
  tables,
  read: (steps) => read(() => runSteps(steps(db))),
  look: (steps) => look(() => runSteps(steps(db))),
  change: (steps) => writer.run(() => runSteps(steps(db))),
  raiseRevision: (_, integrationId) => call(() => revisions.raise(integrationId)),
  raiseRevisions: () => call(() => revisions.raiseAll()),
  isOperator: (id, { id: own } = tables.operators) => eq(own, id),
  hasMember: (list, text) => sql`EXISTS (SELECT 1 FROM json_each(${list}) WHERE value = ${text})`,
});

interface Runnable {
  all(): unknown;
  run(): unknown;
}

export function runSteps<T>(steps: Step<T>): T {
  let next = steps.next();
  while (!next.done) {
    const request = next.value;
    if (request.kind === 'call') next = steps.next(request.work());
    else {
      const query = request.query as Runnable;
      next = steps.next(request.kind === 'rows' ? query.all() : query.run());
    }
  }
  return next.value;
}
