import { asc, desc, eq, gt, type SQL } from 'drizzle-orm';
import type { EvaluationStore, ListedEvaluation } from '../evaluations.ts';
import type { Sqlite } from './database.ts';
import type { ListedRow } from './evaluation-chain.ts';
import { listedEvaluation } from './listed-columns.ts';
import { evaluationSessions, evaluations, integrations } from './tables.ts';

/** All evaluations in the order of their rows: what was recorded later has a greater row id, whoever recorded it. */
export function createEvaluationFeed(
  { db, read }: Pick<Sqlite, 'db' | 'read'>,
  toListed: (row: ListedRow, sessionId: string | null) => ListedEvaluation,
): EvaluationStore['listRecorded'] {
  const select = (where: SQL | undefined, order: SQL, limit: number, mostBytes: number) =>
    db
      .select({
        row: listedEvaluation(mostBytes),
        sessionId: evaluationSessions.uid,
        integrationId: integrations.uid,
      })
      .from(evaluations)
      .innerJoin(integrations, eq(integrations.id, evaluations.integrationId))
      .leftJoin(evaluationSessions, eq(evaluationSessions.id, evaluations.sessionId))
      .where(where)
      .orderBy(order)
      .limit(limit)
      .all();
  const rowOf = (id: string) =>
    db.select({ id: evaluations.id }).from(evaluations).where(eq(evaluations.uid, id.toLowerCase())).get();

  return (after, limit, mostBytes) =>
    read(() => {
      const place = after === null ? null : rowOf(after);
      if (place === undefined) return null;
      const rows = place
        ? select(gt(evaluations.id, place.id), asc(evaluations.id), limit, mostBytes)
        : select(undefined, desc(evaluations.id), limit, mostBytes).reverse();
      return rows.map(({ row, sessionId, integrationId }) => ({
        ...toListed(row, sessionId),
        integrationId,
      }));
    });
}
