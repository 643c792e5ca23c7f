import { sql } from 'drizzle-orm';
import { letsThrough } from '../../schemas/decisions.ts';
import type {
  EvaluationStore,
  ListedEvaluation,
  RecordResult,
  SessionContext,
  StoredEvaluation,
} from '../evaluations.ts';
import { createActionResults } from './action-results.ts';
import { createContentRetention } from './content-retention.ts';
import type { Sqlite } from './database.ts';
import type { DecidingKeys } from './deciding-keys.ts';
import type { EvaluationChain, EvaluationRow, ListedRow } from './evaluation-chain.ts';
import { createEvaluationFeed } from './evaluation-feed.ts';
import { prepareHot } from './hot-statement.ts';
import type { IdempotencyKeys } from './idempotency.ts';
import type { IntegrationRows } from './integration-rows.ts';
import { createJoinedSession } from './joined-session.ts';
import { namesIn } from './listed-columns.ts';
import type { NamedSessionRows } from './named-sessions.ts';
import { offsetOf } from './pages.ts';
import { parseList } from './parse-list.ts';
import type { PolicySetRows } from './policy-sets.ts';
import type { ReviewRows } from './review-rows.ts';
import { type SessionState, statusAt } from './session-state.ts';
import type { SessionStates } from './session-states.ts';
import { evaluations } from './tables.ts';

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

export function createEvaluations(
  { client, db, writer, read }: Sqlite,
  integrations: IntegrationRows,
  sessions: SessionStates,
  chain: EvaluationChain,
  namedSessions: NamedSessionRows,
  policySets: PolicySetRows,
  reviews: ReviewRows,
  idempotencyKeys: IdempotencyKeys,
  decidingKeys: DecidingKeys,
): EvaluationStore {
  const actions = createActionResults({ db });
  const joinedSession = createJoinedSession({ client });
  const values = Object.fromEntries(written.map((name) => [name, sql.placeholder(name)]));
  const insert = prepareHot<Value[]>(
    client,
    db
      .insert(evaluations)
      .values(values as Record<(typeof written)[number], ReturnType<typeof sql.placeholder>>),
    [...written],
  );

  const feed = createEvaluationFeed({ db, read }, toStored);

  return {
    forgetContent: createContentRetention({ client, db, writer }),

    record: (evaluation, decide) =>
      writer.run((): RecordResult => {
        const integrationRow = integrations.find(evaluation.integrationId);
        const earlier = idempotencyKeys.find(integrationRow, evaluation.idempotency, evaluation.at);
        if (earlier) return earlier;
        if (decidingKeys.keyOf(integrationRow) !== evaluation.policySet.key) return { kind: 'stale' };

        const named = evaluation.session;
        let session: SessionState | null = null;
        if (named && 'id' in named) {
          session = sessions.find(integrationRow, named.id);
          if (!session) return { kind: 'no_session' };
          const status = statusAt(session.row, evaluation.at);
          if (status !== 'ACTIVE') return { kind: 'not_active', status };
        }
        if (named && 'name' in named) {
          const id = namedSessions.find(integrationRow, named, evaluation.at);
          session = id === null ? null : sessions.find(integrationRow, id);
        }
        if (named && 'externalSessionId' in named) {
          const id = joinedSession(integrationRow, named.externalSessionId, evaluation.at);
          session = id === null ? null : sessions.find(integrationRow, id);
          const { entityId } = named;
          if (session && entityId !== null && session.entityId !== entityId) return { kind: 'other_entity' };
        }
        const actionRow =
          evaluation.resultOf === null ? null : actions.rowOf(integrationRow, evaluation.resultOf);
        if (evaluation.resultOf !== null && actionRow === null) return { kind: 'no_action' };
        if (actionRow !== null && actions.hasResult(actionRow)) return { kind: 'has_result' };
        const review =
          evaluation.reviewRequestId === null
            ? null
            : reviews.findNamed(integrationRow, evaluation.reviewRequestId, evaluation.at);
        if (evaluation.reviewRequestId !== null && !review) return { kind: 'no_review' };
        if (named && 'open' in named) session ??= sessions.open(named.open, integrationRow);
        if (named && 'name' in named && session) {
          namedSessions.use(integrationRow, named, session.row.id, evaluation.at);
        }

        const sessionRow = session?.row.id ?? null;
        const verdict = decide(session ?? emptyContext(evaluation.at), {
          named: review,
          findPending: (inputHash) =>
            reviews.findPending(
              { integrationRow, sessionRow, tool: evaluation.tool, inputHash },
              evaluation.at,
            ),
        });

        const policySetRow = policySets.ensure(evaluation.policySet);
        const { lastInsertRowid } = insert.run(
          evaluation.id,
          integrationRow,
          sessionRow,
          session && evaluation.phase === 'ACTION' ? session.actionCount + 1 : null,
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
          verdict.reviewRequestId ?? (verdict.consumesReview ? evaluation.reviewRequestId : null),
          evaluation.at,
          evaluation.phase,
          evaluation.resultOf,
          evaluation.resultStatus,
          session?.previousActionId ?? null,
        );
        const evaluationRow = Number(lastInsertRowid);
        if (session) sessions.advance(session, evaluation, verdict, evaluationRow);
        if (actionRow !== null) actions.addResult(actionRow, evaluationRow);
        if (verdict.consumesReview && review) reviews.consume(review.row, evaluation.at);
        if (verdict.review) {
          reviews.insert(verdict.review, {
            integrationRow,
            sessionRow,
            evaluationRow,
            tool: evaluation.tool,
            policySetRow,
            createdAt: evaluation.at,
          });
        }
        if (verdict.heldAgain) reviews.holdAgain(verdict.heldAgain, evaluationRow);
        const permit = letsThrough(verdict.enforcementAction)
          ? { sessionId: sessionRow, policySetId: policySetRow }
          : null;
        idempotencyKeys.keep(integrationRow, evaluation.idempotency, verdict.answer, evaluation.at, permit);
        return { kind: 'recorded', answer: verdict.answer };
      }),

    find: (integrationId, id) =>
      read(() => {
        const found = feed.find(id);
        return found && (integrationId === null || integrationId === found.integrationId) ? found : null;
      }),

    findAction: (integrationId, id) => read(() => actions.find(integrations.find(integrationId), id)),

    listRecorded: feed.list,

    listInSession: (integrationId, sessionId, page, mostBytes) =>
      read(() => {
        const owner = integrationId === null ? null : integrations.find(integrationId);
        const session = sessions.read(owner, sessionId.toLowerCase());
        if (!session) return null;
        const last = {
          sessionRow: session.row.id,
          place: session.recordCount,
          evaluationId: session.lastEvaluationId,
        };
        const rows = chain.readPage(last, offsetOf(page), page.size, mostBytes);
        return { items: rows.map((row) => toListed(row, session.row.uid)), total: session.recordCount };
      }),
  };

  function toListed(row: ListedRow, sessionId: string | null): ListedEvaluation {
    return { ...toStored(row, sessionId), omitted: namesIn(row.omitted) };
  }

  function toStored(row: EvaluationRow, sessionId: string | null): StoredEvaluation {
    const { uid: id, reviewUid, policySetId, detections, ...rest } = row;
    return {
      id,
      sessionId,
      seq: rest.seq,
      phase: rest.phase,
      resultOf: rest.resultOf,
      resultStatus: rest.resultStatus,
      tool: rest.tool,
      targetKey: rest.targetKey,
      targetMetadata: rest.targetMetadata,
      correlationId: rest.correlationId,
      outcome: rest.outcome,
      enforcementAction: rest.enforcementAction,
      severity: rest.severity,
      violations: parseList(rest.violations),
      dataTags: parseList(rest.dataTags),
      detections: detections ?? '[]',
      reviewRequestId: reviewUid,
      input: rest.input,
      policies: policySets.membersOf(policySetId),
      createdAt: rest.createdAt,
    };
  }
}

/** What an evaluation without a session sees: the context of a session in which nothing has happened yet. */
const emptyContext = (startedAt: number): SessionContext => ({
  id: '',
  entityId: null,
  metadata: '{}',
  startedAt,
  actionCount: 0,
  warningCount: 0,
  blockCount: 0,
  reviewCount: 0,
  dataTags: [],
  toolCounts: new Map(),
  attemptCounts: new Map(),
  recentActions: [],
});
