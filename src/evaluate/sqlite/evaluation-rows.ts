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
/** The columns, each with the value that most evaluations have; undefined where there is none. At most 31 have one. */
const usual = {
  uid: undefined,
  integrationId: undefined,
  sessionId: null,
  seq: null,
  previousId: null,
  transport: 'REST',
  tool: undefined,
  targetKey: null,
  targetMetadata: null,
  correlationId: null,
  outcome: 'ALLOW',
  enforcementAction: 'ALLOW',
  severity: null,
  enforcedSeverity: null,
  violations: null,
  dataTags: null,
  detections: null,
  policySetId: undefined,
  input: null,
  reviewUid: null,
  createdAt: undefined,
  phase: 'ACTION',
  resultOf: null,
  resultStatus: null,
  previousActionId: null,
  chainSeq: undefined,
  entryHash: undefined,
  contentSalt: null,
  labels: null,
  repeats: 0,
  cost: null,
  identity: null,
  usedGrants: null,
  namedReview: null,
  tookUs: null,
  traceId: null,
} as const;
type Column = keyof typeof usual;
const columns = Object.keys(usual) as Column[];
const usualValues: readonly (Value | undefined)[] = Object.values(usual);
/** The bit of each column in the number of a combination; 0 for a column that is always bound. */
const bits = usualValues.map((value, place) =>
  value === undefined ? 0 : 1 << usualValues.slice(0, place).filter((one) => one !== undefined).length,
);
const literals = Object.fromEntries(
  Object.entries(usual).map(([name, value]) => [
    name,
    sql.raw(typeof value === 'string' ? `'${value}'` : `${value}`),
  ]),
);

/**
 * Statements that bind the columns with an unusual value alone, one for each combination: half of the columns of an evaluation are
 * null, and binding a null costs as much as binding a number.
 */
const mostStatements = 64;

type Placeholders = Record<Column, ReturnType<typeof sql.placeholder>>;
type InsertEvaluation = ReturnType<typeof prepareHot<Value[]>>;

export function createEvaluationWrites(
  { client, db }: Pick<Sqlite, 'client' | 'db'>,
  chains: RecordChains,
): EvaluationWrites {
  const statements = new Map<number, InsertEvaluation>();
  function prepare(bound: readonly Column[]): InsertEvaluation {
    const placeholders = Object.fromEntries(bound.map((name) => [name, sql.placeholder(name)]));
    const values = { ...literals, ...placeholders } as Placeholders;
    return prepareHot<Value[]>(client, db.insert(evaluations).values(values), [...bound]);
  }
  const ofAll = prepare(columns);

  /** `values` in the order of `columns`. */
  function insert(values: Value[]): number {
    let combination = 0;
    const unusual: Value[] = [];
    for (let place = 0; place < values.length; place++) {
      const value = values[place] as Value;
      if (value === usualValues[place]) continue;
      combination |= bits[place] as number;
      unusual.push(value);
    }
    let statement = statements.get(combination);
    if (!statement && statements.size < mostStatements) {
      statement = prepare(columns.filter((_, place) => values[place] !== usualValues[place]));
      statements.set(combination, statement);
    }
    const { lastInsertRowid } = statement ? statement.run(...unusual) : ofAll.run(...values);
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
