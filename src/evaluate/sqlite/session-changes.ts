import { desc, sql } from 'drizzle-orm';
import type { Sqlite } from '../../store/sqlite/database.ts';
import { sessionChanges } from '../../store/sqlite/tables/evaluation-sessions.ts';
import { evaluations } from '../../store/sqlite/tables/evaluations.ts';

/** Changes of sessions by others than evaluations, each with its place among the evaluations. Synchronous: it runs inside a change. */
export interface SessionChanges {
  addEnd(sessionRow: number): void;
  addRemovedLabel(sessionRow: number, label: string): void;
  addRejection(sessionRow: number, reviewId: string): void;
}

export function createSessionChanges({ db, steady }: Pick<Sqlite, 'db' | 'steady'>): SessionChanges {
  const lastEvaluation = db
    .select({ id: evaluations.id })
    .from(evaluations)
    .orderBy(desc(evaluations.id))
    .limit(1);
  const { placeholder } = sql;
  const insert = steady
    .insert(sessionChanges)
    .values({
      sessionId: placeholder('sessionRow'),
      kind: placeholder('kind'),
      label: placeholder('label'),
      reviewUid: placeholder('reviewUid'),
      afterEvaluationId: sql`coalesce((${lastEvaluation}), 0)`,
    })
    .prepare();
  const none = { label: null, reviewUid: null };
  return {
    addEnd: (sessionRow) => void insert.run({ ...none, sessionRow, kind: 'ENDED' }),
    addRemovedLabel: (sessionRow, label) =>
      void insert.run({ ...none, sessionRow, kind: 'LABEL_REMOVED', label }),
    addRejection: (sessionRow, reviewUid) =>
      void insert.run({ ...none, sessionRow, kind: 'REJECTED', reviewUid }),
  };
}
