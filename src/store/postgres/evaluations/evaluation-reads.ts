import { and, asc, count, desc, eq, getTableColumns, gt, lt, lte, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { PolicyTerms } from '../../../evaluate/evaluation.ts';
import { namesIn, narrow, tooWide } from '../../../sql/wide-texts.ts';
import {
  type EvaluationFields,
  type EvaluationStore,
  type ListedEvaluation,
  policiesOfKey,
  type StoredEvaluation,
  toStoredEvaluation,
} from '../../evaluations.ts';
import { offsetOf } from '../../pages.ts';
import { parseList } from '../../rows.ts';
import type { Db, Postgres } from '../database.ts';
import type { FinalPosition } from '../final-position.ts';
import { grantsUsedBy } from '../grants.ts';
import { evaluationSessions, evaluations, policySets, sessionChanges, sessionStates } from '../tables.ts';

const { input, targetMetadata, detections, violations } = evaluations;
const wide = { input, targetMetadata, detections, violations };

const listed = (mostBytes: number) => ({
  ...getTableColumns(evaluations),
  input: narrow<string>(input, mostBytes),
  targetMetadata: narrow<string>(targetMetadata, mostBytes),
  detections: narrow<string>(detections, mostBytes),
  violations: narrow<string>(violations, mostBytes),
  /** The key of the policies that decided. */
  policies: policySets.members,
  policyTerms: policySets.terms,
  omitted: tooWide(wide, mostBytes),
});

/** A page of evaluations with 1 MB each must not be read whole: wider texts are left out. */
/** No text has more bytes. */
const anyBytes = 2_147_483_647;

export const selectEvaluations = (db: Db, where: SQL | undefined, mostBytes = anyBytes) =>
  db
    .select(listed(mostBytes))
    .from(evaluations)
    .leftJoin(policySets, eq(policySets.id, evaluations.policySetId))
    .where(where)
    .$dynamic();

export type EvaluationRow = Awaited<ReturnType<typeof selectEvaluations>>[number];

const toStored = (
  row: EvaluationFields & Pick<EvaluationRow, 'id' | 'sessionId' | 'policies'>,
): StoredEvaluation => toStoredEvaluation(row, { ...row, policies: policiesOfKey(row.policies ?? '') });

export const toListed = (row: EvaluationRow): ListedEvaluation & { integrationId: string } => ({
  ...toStored(row),
  omitted: namesIn(row.omitted),
  integrationId: row.integrationId,
});

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
            labels: evaluations.labels,
          })
          .from(evaluations)
          .leftJoin(evaluationSessions, eq(evaluationSessions.id, evaluations.sessionId))
          .where(and(eq(evaluationId, id), eq(evaluations.integrationId, integrationId)));
        return found ? { ...found, labels: parseList(found.labels) } : null;
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

/** The terms that decided an evaluation, besides those in its own row. */
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
