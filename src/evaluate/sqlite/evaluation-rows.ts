import { sql } from 'drizzle-orm';
import { entryHash } from '../../record/entries.ts';
import { evaluationEntry } from '../../record/evaluation-entry.ts';
import type { Sqlite } from '../../store/sqlite/database.ts';
import { prepareHot } from '../../store/sqlite/hot-statement.ts';
import { evaluations } from '../../store/sqlite/tables/evaluations.ts';
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
const columns = [
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
  'identity',
  'usedGrants',
  'namedReview',
  'tookUs',
  'traceId',
] as const;

/**
 * Statements that name the columns with a value alone, one for each combination: half of the columns of an evaluation are null, and
 * binding a null costs as much as binding a number.
 */
const mostStatements = 64;

type Placeholders = Record<(typeof columns)[number], ReturnType<typeof sql.placeholder>>;
type InsertEvaluation = ReturnType<typeof prepareHot<Value[]>>;

export function createEvaluationWrites(
  { client, db }: Pick<Sqlite, 'client' | 'db'>,
  chains: RecordChains,
): EvaluationWrites {
  const statements = new Map<number, InsertEvaluation>();
  function prepare(names: readonly (typeof columns)[number][]): InsertEvaluation {
    const values = Object.fromEntries(names.map((name) => [name, sql.placeholder(name)]));
    return prepareHot<Value[]>(client, db.insert(evaluations).values(values as Placeholders), [...names]);
  }
  const ofAll = prepare(columns);

  /** `values` in the order of `columns`. */
  function insert(values: Value[]): number {
    let combination = 0;
    let bit = 1;
    const present: Value[] = [];
    for (const value of values) {
      if (value !== null) {
        combination += bit;
        present.push(value);
      }
      // Beyond 32 columns, numbers stay exact where bitwise operators do not.
      bit *= 2;
    }
    let statement = statements.get(combination);
    if (!statement && statements.size < mostStatements) {
      statement = prepare(columns.filter((_, place) => values[place] !== null));
      statements.set(combination, statement);
    }
    const { lastInsertRowid } = statement ? statement.run(...present) : ofAll.run(...values);
    return Number(lastInsertRowid);
  }

  return {
    add({ integrationRow, policySetRow, termsHash, session }, evaluation, writes) {
      const { verdict } = writes;
      const row = rowOfEvaluation(evaluation, writes, termsHash, newSalt);
      const link = chains.next(evaluation.integrationId, session);
      const hash = entryHash(evaluationEntry(link, row));
      const evaluationRow = insert([
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
        row.identity,
        row.grants,
        row.namedReview,
        verdict.tookUs,
        evaluation.traceId,
      ]);
      chains.add(link, hash, session);
      return evaluationRow;
    },
  };
}
