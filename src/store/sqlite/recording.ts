import { sql } from 'drizzle-orm';
import type { NewEvaluation } from '../evaluations.ts';
import type { Loaded, Writes } from '../record-evaluation.ts';
import type { ActionResults, LoadedAction } from './action-results.ts';
import type { CounterRowsOfStore } from './counter-rows.ts';
import type { Sqlite } from './database.ts';
import { prepareHot } from './hot-statement.ts';
import type { IdempotencyKeys } from './idempotency.ts';
import type { IntegrationRows } from './integration-rows.ts';
import { createJoinedSession } from './joined-session.ts';
import type { NamedSessionRows } from './named-sessions.ts';
import type { PolicySetRows } from './policy-sets.ts';
import type { LoadedReview, ReviewRows } from './review-rows.ts';
import type { Revisions } from './revisions.ts';
import type { SessionState } from './session-state.ts';
import type { SessionStates } from './session-states.ts';
import { evaluations } from './tables.ts';

/** What `settle` asks for, with the rows that `apply` writes to. */
export interface LoadedRows extends Loaded {
  integrationRow: number;
  session: SessionState | null;
  action: LoadedAction | null;
  review: LoadedReview | null;
}

/** The two halves of recording an evaluation that touch the database. Synchronous: they run inside one change. */
export interface Recording {
  load(evaluation: NewEvaluation): LoadedRows;
  apply(loaded: LoadedRows, evaluation: NewEvaluation, writes: Writes): void;
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
] as const;

export function createRecording(
  { client, db }: Pick<Sqlite, 'client' | 'db'>,
  integrations: IntegrationRows,
  sessions: SessionStates,
  namedSessions: NamedSessionRows,
  policySets: PolicySetRows,
  actions: ActionResults,
  reviews: ReviewRows,
  idempotencyKeys: IdempotencyKeys,
  revisions: Revisions,
  counterRows: CounterRowsOfStore,
): Recording {
  const joinedSession = createJoinedSession({ client });
  const values = Object.fromEntries(written.map((name) => [name, sql.placeholder(name)]));
  const insert = prepareHot<Value[]>(
    client,
    db
      .insert(evaluations)
      .values(values as Record<(typeof written)[number], ReturnType<typeof sql.placeholder>>),
    [...written],
  );

  function findSession(integrationRow: number, { session: asked, at }: NewEvaluation): SessionState | null {
    if (!asked) return null;
    if ('id' in asked) return sessions.find(integrationRow, asked.id);
    let id: string | null = null;
    if ('name' in asked) id = namedSessions.find(integrationRow, asked, at);
    else if ('externalSessionId' in asked) id = joinedSession(integrationRow, asked.externalSessionId, at);
    return id === null ? null : sessions.find(integrationRow, id);
  }

  function findPending(
    integrationRow: number,
    session: SessionState | null,
    evaluation: NewEvaluation,
  ): Loaded['pending'] {
    if (!evaluation.needs.pendingReview) return null;
    // A session without a held action has no review. Held prompts are counted with all other records.
    if (session ? session.reviewCount + session.otherCount === 0 : evaluation.session) return null;
    const { tool } = evaluation;
    const sessionRow = session?.row.id ?? null;
    return reviews.findPending({ integrationRow, sessionRow, tool, inputHash: evaluation.inputHash() });
  }

  return {
    load(evaluation) {
      const { idempotency, at, resultOf, reviewRequestId } = evaluation;
      const integrationRow = integrations.find(evaluation.integrationId);
      const session = findSession(integrationRow, evaluation);
      if (evaluation.needs.recentActions) session?.readRecentActions();
      return {
        integrationRow,
        stored: idempotencyKeys.find(integrationRow, idempotency, at),
        revision: revisions.of(integrationRow),
        session,
        action: resultOf === null ? null : actions.load(integrationRow, resultOf),
        review: reviewRequestId === null ? null : reviews.findNamed(integrationRow, reviewRequestId),
        pending: findPending(integrationRow, session, evaluation),
        findCounterRow: evaluation.needs.counters
          ? (...row) => counterRows.find(integrationRow, ...row)
          : null,
      };
    },

    apply({ integrationRow, session: found, action, review }, evaluation, writes) {
      const { verdict, opens, names } = writes;
      const { at } = evaluation;
      const session = opens ? sessions.open(opens, integrationRow) : found;
      const sessionRow = session?.row.id ?? null;
      if (names && sessionRow !== null) namedSessions.use(integrationRow, names, sessionRow, at);
      const policySetRow = policySets.ensure(evaluation.policySet);
      const { lastInsertRowid } = insert.run(
        evaluation.id,
        integrationRow,
        sessionRow,
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
        verdict.violations.length ? JSON.stringify(verdict.violations) : null,
        evaluation.dataTags.length ? JSON.stringify(evaluation.dataTags) : null,
        evaluation.detections,
        policySetRow,
        evaluation.input,
        writes.reviewRequestId,
        at,
        evaluation.phase,
        evaluation.resultOf,
        evaluation.resultStatus,
        session?.previousActionId ?? null,
      );
      const evaluationRow = Number(lastInsertRowid);
      if (session) sessions.advance(session, evaluation, verdict, evaluationRow);
      if (action) actions.addResult(action.row, evaluationRow);
      if (verdict.consumesReview && review) reviews.consume(review.row, at);
      if (verdict.review) {
        const of = { integrationRow, sessionRow, evaluationRow, tool: evaluation.tool, policySetRow };
        reviews.insert(verdict.review, { ...of, createdAt: at });
      }
      if (verdict.heldAgain) reviews.holdAgain(verdict.heldAgain, evaluationRow);
      for (const row of writes.counterRows) counterRows.write(integrationRow, row);
      const permit = writes.permits ? { sessionId: sessionRow, policySetId: policySetRow } : null;
      idempotencyKeys.keep(integrationRow, evaluation.idempotency, verdict.answer, at, permit);
    },
  };
}
