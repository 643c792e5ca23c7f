import { and, asc, count, eq, gt, lt, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { PolicyTerms } from '../../evaluate/evaluation.ts';
import type { EvaluationStore } from '../evaluations.ts';
import { parseList } from '../parse-list.ts';
import type { Postgres } from './database.ts';
import { evaluations, policySets, sessionChanges } from './tables.ts';

/** What an evaluation was decided by, besides what its own row says. */
export function createEvaluationTerms({
  read,
}: Pick<Postgres, 'read'>): Pick<EvaluationStore, 'findTerms' | 'listRemovedLabels' | 'countRejections'> {
  const later = alias(evaluations, 'later');

  return {
    countRejections: (id) =>
      read(async (db) => {
        const { position, sessionId, kind } = sessionChanges;
        const [found] = await db
          .select({ total: count() })
          .from(evaluations)
          .innerJoin(sessionChanges, eq(sessionId, evaluations.sessionId))
          .where(and(eq(evaluations.id, id), eq(kind, 'REJECTED'), lt(position, evaluations.position)));
        return found?.total ?? 0;
      }),

    findTerms: (id) =>
      read(async (db) => {
        const [found] = await db
          .select({ terms: policySets.terms })
          .from(evaluations)
          .innerJoin(policySets, eq(policySets.id, evaluations.policySetId))
          .where(eq(evaluations.id, id));
        return parseList<PolicyTerms>(found?.terms ?? null);
      }),

    listRemovedLabels: (id) =>
      read(async (db) => {
        const { position, sessionId, label, kind } = sessionChanges;
        const first = db
          .select({ id: later.id })
          .from(later)
          .where(and(eq(later.sessionId, sessionId), gt(later.position, position)))
          .orderBy(asc(later.position))
          .limit(1);
        return db
          .select({ label: sql<string>`${label}`, before: sql<string>`(${first})` })
          .from(evaluations)
          .innerJoin(sessionChanges, eq(sessionId, evaluations.sessionId))
          .where(and(eq(evaluations.id, id), eq(kind, 'LABEL_REMOVED'), lt(position, evaluations.position)))
          .orderBy(asc(position));
      }),
  };
}
