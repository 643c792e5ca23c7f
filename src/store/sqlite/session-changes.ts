import { desc, sql } from 'drizzle-orm';
import type { Sqlite } from './database.ts';
import { evaluations, sessionChanges } from './tables.ts';

/** What changes sessions besides their evaluations, with its place among these. Synchronous: it runs inside a change. */
export interface SessionChanges {
  add(sessionRow: number, kind: 'ENDED' | 'LABEL_REMOVED', label: string | null): void;
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
      afterEvaluationId: sql`coalesce((${lastEvaluation}), 0)`,
    })
    .prepare();
  return { add: (sessionRow, kind, label) => void insert.run({ sessionRow, kind, label }) };
}
