import { eq, getTableColumns, type SQL } from 'drizzle-orm';
import { namesIn, narrow, tooWide } from '../../sql/wide-texts.ts';
import type { ListedEvaluation, StoredEvaluation } from '../evaluation-reads.ts';
import { type EvaluationFields, policiesOfKey, toStoredEvaluation } from '../stored-evaluations.ts';
import type { Db } from './database.ts';
import { evaluations, policySets } from './tables.ts';

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

export const toStored = (
  row: EvaluationFields & Pick<EvaluationRow, 'id' | 'sessionId' | 'policies'>,
): StoredEvaluation => toStoredEvaluation(row, { ...row, policies: policiesOfKey(row.policies ?? '') });

export const toListed = (row: EvaluationRow): ListedEvaluation & { integrationId: string } => ({
  ...toStored(row),
  omitted: namesIn(row.omitted),
  integrationId: row.integrationId,
});
