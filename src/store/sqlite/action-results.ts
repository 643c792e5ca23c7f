import { and, eq, sql } from 'drizzle-orm';
import type { EvaluatedAction } from '../evaluation-reads.ts';
import type { Sqlite } from './database.ts';
import { actionResults, evaluationSessions, evaluations } from './tables.ts';

/** Which action has a result. Synchronous: it runs inside a change or a read. */
export interface ActionResults {
  /** Null when the integration has no such evaluation. */
  find(integrationRow: number, id: string): EvaluatedAction | null;
  /** The same, as recording its result needs it. */
  load(integrationRow: number, id: string): LoadedAction | null;
  addResult(actionRow: number, resultRow: number): void;
}

export interface LoadedAction {
  row: number;
  hasResult: boolean;
}

export function createActionResults({ db, steady }: Pick<Sqlite, 'db' | 'steady'>): ActionResults {
  const { placeholder } = sql;
  const byUid = steady
    .select({
      row: evaluations.id,
      phase: evaluations.phase,
      sessionId: evaluationSessions.uid,
      externalSessionId: evaluationSessions.externalSessionId,
      tool: evaluations.tool,
      enforcementAction: evaluations.enforcementAction,
    })
    .from(evaluations)
    .leftJoin(evaluationSessions, eq(evaluationSessions.id, evaluations.sessionId))
    .where(
      and(
        eq(evaluations.uid, placeholder('id')),
        eq(evaluations.integrationId, placeholder('integrationRow')),
      ),
    )
    .prepare();
  const resultOf = steady
    .select({ resultId: actionResults.resultId })
    .from(actionResults)
    .where(eq(actionResults.actionId, placeholder('actionRow')))
    .prepare();
  const find = (integrationRow: number, id: string) => byUid.get({ id: id.toLowerCase(), integrationRow });

  return {
    find(integrationRow, id) {
      const found = find(integrationRow, id);
      if (!found) return null;
      const { row: _, ...action } = found;
      return action;
    },
    load(integrationRow, id) {
      const found = find(integrationRow, id);
      if (!found) return null;
      return { row: found.row, hasResult: resultOf.get({ actionRow: found.row }) !== undefined };
    },
    addResult(actionRow, resultRow) {
      db.insert(actionResults).values({ actionId: actionRow, resultId: resultRow }).run();
    },
  };
}
