import { asc, desc, eq, getTableColumns, gt, type SQL, sql } from 'drizzle-orm';
import type { EvaluationRow } from '../../evaluate/sqlite/evaluation-chain.ts';
import type { GrantRows } from '../../evaluate/sqlite/grants.ts';
import { namesIn } from '../../sql/wide-texts.ts';
import type { StoredEvaluation, WholeEvaluation } from '../evaluation-reads.ts';
import type { EvaluationStore } from '../evaluations.ts';
import type { Sqlite } from './database.ts';
import { listedEvaluation } from './listed-columns.ts';
import { evaluationSessions, evaluations, integrations } from './tables.ts';

/** Evaluations of all integrations. */
export interface EvaluationFeed {
  /** With all of its content. Synchronous: it runs inside a read. */
  find(id: string): WholeEvaluation | null;
  /** In the order of their rows: what was recorded later has a greater row id, whoever recorded it. */
  list: EvaluationStore['listRecorded'];
}

export function createEvaluationFeed(
  { db, steady, read }: Pick<Sqlite, 'db' | 'steady' | 'read'>,
  toStored: (row: EvaluationRow, sessionId: string | null) => StoredEvaluation,
  grants: Pick<GrantRows, 'usedBy'>,
): EvaluationFeed {
  const owners = { sessionId: evaluationSessions.uid, integrationId: integrations.id };
  const byUid = steady
    .select({ row: getTableColumns(evaluations), ...owners })
    .from(evaluations)
    .innerJoin(integrations, eq(integrations.row, evaluations.integrationId))
    .leftJoin(evaluationSessions, eq(evaluationSessions.id, evaluations.sessionId))
    .where(eq(evaluations.uid, sql.placeholder('id')))
    .prepare();
  const select = (where: SQL | undefined, order: SQL, limit: number, mostBytes: number) =>
    db
      .select({ row: listedEvaluation(mostBytes), ...owners })
      .from(evaluations)
      .innerJoin(integrations, eq(integrations.row, evaluations.integrationId))
      .leftJoin(evaluationSessions, eq(evaluationSessions.id, evaluations.sessionId))
      .where(where)
      .orderBy(order)
      .limit(limit)
      .all();
  const rowOf = (id: string) =>
    db.select({ id: evaluations.id }).from(evaluations).where(eq(evaluations.uid, id.toLowerCase())).get();

  return {
    find(id) {
      const found = byUid.get({ id: id.toLowerCase() });
      if (!found) return null;
      const { row, sessionId, integrationId } = found;
      // Only what a review belongs to can have used a grant.
      const used = row.reviewUid === null ? [] : grants.usedBy(row.id);
      return { ...toStored(row, sessionId), integrationId, grants: used };
    },
    list: (after, limit, mostBytes) =>
      read(() => {
        const place = after === null ? null : rowOf(after);
        if (place === undefined) return null;
        const rows = place
          ? select(gt(evaluations.id, place.id), asc(evaluations.id), limit, mostBytes)
          : select(undefined, desc(evaluations.id), limit, mostBytes).reverse();
        return rows.map(({ row, sessionId, integrationId }) => ({
          ...toStored(row, sessionId),
          omitted: namesIn(row.omitted),
          integrationId,
        }));
      }),
  };
}
