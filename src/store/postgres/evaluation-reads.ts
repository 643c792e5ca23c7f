import { and, asc, desc, eq, gt, lte } from 'drizzle-orm';
import type { EvaluationStore } from '../evaluations.ts';
import { offsetOf } from '../pages.ts';
import type { Postgres } from './database.ts';
import { selectEvaluations, toListed, toStored } from './evaluation-columns.ts';
import type { FinalPosition } from './final-position.ts';
import { grantsUsedBy } from './grants.ts';
import { evaluationSessions, evaluations, sessionStates } from './tables.ts';

export function createEvaluationReads(
  { read }: Pick<Postgres, 'read'>,
  finalPosition: FinalPosition,
): Pick<EvaluationStore, 'find' | 'findAction' | 'listInSession' | 'listRecorded'> {
  const { id: evaluationId, position } = evaluations;

  return {
    find: (integrationId, id) =>
      read(async (db) => {
        const [row] = await selectEvaluations(db, eq(evaluationId, id));
        if (!row || (integrationId !== null && row.integrationId !== integrationId)) return null;
        // Only what a review belongs to can have used a grant.
        const grants = row.reviewUid === null ? [] : await grantsUsedBy(db, row.id);
        return { ...toStored(row), integrationId: row.integrationId, grants };
      }),

    findAction: (integrationId, id) =>
      read(async (db) => {
        const [found] = await db
          .select({
            phase: evaluations.phase,
            sessionId: evaluations.sessionId,
            externalSessionId: evaluationSessions.externalSessionId,
            tool: evaluations.tool,
            enforcementAction: evaluations.enforcementAction,
          })
          .from(evaluations)
          .leftJoin(evaluationSessions, eq(evaluationSessions.id, evaluations.sessionId))
          .where(and(eq(evaluationId, id), eq(evaluations.integrationId, integrationId)));
        return found ?? null;
      }),

    listInSession: (integrationId, sessionId, page, mostBytes) =>
      read(async (db) => {
        const [session] = await db
          .select({
            integrationId: evaluationSessions.integrationId,
            actionCount: sessionStates.actionCount,
            otherCount: sessionStates.otherCount,
          })
          .from(evaluationSessions)
          .innerJoin(sessionStates, eq(sessionStates.sessionId, evaluationSessions.id))
          .where(eq(evaluationSessions.id, sessionId));
        if (!session || (integrationId !== null && session.integrationId !== integrationId)) return null;
        const rows = await selectEvaluations(db, eq(evaluations.sessionId, sessionId), mostBytes)
          .orderBy(desc(position))
          .limit(page.size)
          .offset(offsetOf(page));
        const items = rows.map(toListed).map(({ integrationId: _, ...item }) => item);
        return { items, total: session.actionCount + session.otherCount };
      }),

    async listRecorded(after, limit, mostBytes) {
      const last = await finalPosition.find();
      return read(async (db) => {
        if (after === null) {
          const newest = selectEvaluations(db, lte(position, last), mostBytes);
          return (await newest.orderBy(desc(position)).limit(limit)).reverse().map(toListed);
        }
        const [place] = await db.select({ position }).from(evaluations).where(eq(evaluationId, after));
        if (!place) return null;
        const isNext = and(gt(position, place.position), lte(position, last));
        const next = selectEvaluations(db, isNext, mostBytes);
        return (await next.orderBy(asc(position)).limit(limit)).map(toListed);
      });
    },
  };
}
