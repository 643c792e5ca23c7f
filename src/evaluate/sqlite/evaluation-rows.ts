import { sql } from 'drizzle-orm';
import { entryHash } from '../../record/entries.ts';
import { evaluationEntry } from '../../record/evaluation-entry.ts';
import type { Sqlite } from '../../store/sqlite/database.ts';
import { prepareHot } from '../../store/sqlite/hot-statement.ts';
import { evaluations } from '../../store/sqlite/tables.ts';
import type { NewEvaluation } from '../evaluation.ts';
import { newSalt, rowOfEvaluation } from '../evaluation-row.ts';
import type { Writes } from '../port.ts';
import type { RecordChains } from './record-chains.ts';
import type { SessionState } from './session-state.ts';

/** Writes evaluations, each with its entry in the record. */
export interface EvaluationWrites {
  /** Returns the row of the evaluation. */
  add(of: RowsOfEvaluation, evaluation: NewEvaluation, writes: Writes): number;
}

/** The rows that an evaluation refers to. */
export interface RowsOfEvaluation {
  integrationRow: number;
  policySetRow: number;
  /** SHA-256 of the terms of the policy set. */
  termsHash: string;
  /** Null without a session. */
  session: SessionState | null;
}

type Value = string | number | null;
const written = [
  'uid',
  'integrationId',
  'sessionId',
  'seq',
  'previousId',
  'transport',
  'tool',
  'targetKey',
  'targetMetadata',
  'correlationId',
  'outcome',
  'enforcementAction',
  'severity',
  'enforcedSeverity',
  'violations',
  'dataTags',
  'detections',
  'policySetId',
  'input',
  'reviewUid',
  'createdAt',
  'phase',
  'resultOf',
  'resultStatus',
  'previousActionId',
  'chainSeq',
  'entryHash',
  'contentSalt',
  'labels',
  'repeats',
  'cost',
  'usedGrants',
  'namedReview',
  'tookUs',
  'traceId',
] as const;

export function createEvaluationWrites(
  { client, db }: Pick<Sqlite, 'client' | 'db'>,
  chains: RecordChains,
): EvaluationWrites {
  const values = Object.fromEntries(written.map((name) => [name, sql.placeholder(name)]));
  const insert = prepareHot<Value[]>(
    client,
    db
      .insert(evaluations)
      .values(values as Record<(typeof written)[number], ReturnType<typeof sql.placeholder>>),
    [...written],
  );

  return {
    add({ integrationRow, policySetRow, termsHash, session }, evaluation, writes) {
      const { verdict } = writes;
      const row = rowOfEvaluation(evaluation, writes, termsHash, newSalt);
      const link = chains.next(evaluation.integrationId, session);
      const hash = entryHash(evaluationEntry(link, row));
      const { lastInsertRowid } = insert.run(
        evaluation.id,
        integrationRow,
        session?.row.id ?? null,
        writes.seq,
        session?.lastEvaluationId ?? null,
        evaluation.transport,
        evaluation.tool,
        evaluation.targetKey,
        evaluation.targetMetadata,
        evaluation.correlationId,
        verdict.outcome,
        verdict.enforcementAction,
        verdict.severity,
        verdict.enforcedSeverity,
        row.violations,
        row.dataTags,
        evaluation.detections,
        policySetRow,
        evaluation.input,
        writes.reviewRequestId,
        evaluation.at,
        evaluation.phase,
        evaluation.resultOf,
        evaluation.resultStatus,
        session?.previousActionId ?? null,
        link.seq,
        hash,
        row.salt,
        row.labels,
        row.repeats,
        row.cost,
        row.grants,
        row.namedReview,
        verdict.tookUs,
        evaluation.traceId,
      );
      chains.add(link, hash, session);
      return Number(lastInsertRowid);
    },
  };
}
