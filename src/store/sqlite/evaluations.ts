import { and, count, desc, eq, sql } from 'drizzle-orm';
import type {
  EvaluationStore,
  NewEvaluation,
  RecordResult,
  StoredEvaluation,
  Verdict,
} from '../evaluations.ts';
import type { Sqlite } from './database.ts';
import { type SessionRow, type SessionRows, statusAt } from './evaluation-sessions.ts';
import type { IdempotencyKeys } from './idempotency.ts';
import type { IntegrationRows } from './integration-rows.ts';
import type { NamedSessionRows } from './named-sessions.ts';
import { offsetOf } from './pages.ts';
import type { PolicySetRows } from './policy-sets.ts';
import type { ReviewRows } from './review-rows.ts';
import { emptyContext, RowContext } from './session-context.ts';
import { evaluationSessions, evaluations, sessionTools } from './tables.ts';

export function createEvaluations(
  { db, writer, read }: Sqlite,
  integrations: IntegrationRows,
  sessions: SessionRows,
  namedSessions: NamedSessionRows,
  policySets: PolicySetRows,
  reviews: ReviewRows,
  idempotencyKeys: IdempotencyKeys,
): EvaluationStore {
  const { placeholder } = sql;
  const insert = db
    .insert(evaluations)
    .values({
      uid: placeholder('uid'),
      integrationId: placeholder('integrationRow'),
      sessionId: placeholder('sessionRow'),
      seq: placeholder('seq'),
      transport: placeholder('transport'),
      tool: placeholder('tool'),
      targetKey: placeholder('targetKey'),
      targetMetadata: placeholder('targetMetadata'),
      correlationId: placeholder('correlationId'),
      outcome: placeholder('outcome'),
      enforcementAction: placeholder('enforcementAction'),
      severity: placeholder('severity'),
      enforcedSeverity: placeholder('enforcedSeverity'),
      violations: placeholder('violations'),
      dataTags: placeholder('dataTags'),
      detections: placeholder('detections'),
      policySetId: placeholder('policySetRow'),
      input: placeholder('input'),
      reviewUid: placeholder('reviewUid'),
      createdAt: placeholder('createdAt'),
    })
    .prepare();
  const updateSession = db
    .update(evaluationSessions)
    .set({
      actionCount: sql`${placeholder('actionCount')}`,
      warningCount: sql`${placeholder('warningCount')}`,
      blockCount: sql`${placeholder('blockCount')}`,
      reviewCount: sql`${placeholder('reviewCount')}`,
      dataTags: sql`${placeholder('dataTags')}`,
    })
    .where(eq(evaluationSessions.id, placeholder('sessionRow')))
    .prepare();
  const countTool = db
    .insert(sessionTools)
    .values({
      sessionId: placeholder('sessionRow'),
      tool: placeholder('tool'),
      callCount: 1,
      firstSeq: placeholder('seq'),
    })
    .onConflictDoUpdate({
      target: [sessionTools.sessionId, sessionTools.tool],
      set: { callCount: sql`call_count + 1` },
    })
    .prepare();

  /** Adds the action to what the session has seen (contract, "What a rule sees"). Answers its place in the session. */
  function advance(session: SessionRow, evaluation: NewEvaluation, { enforcementAction }: Verdict): number {
    const seq = session.actionCount + 1;
    updateSession.run({
      sessionRow: session.id,
      actionCount: seq,
      warningCount: session.warningCount + (enforcementAction === 'WARN' ? 1 : 0),
      blockCount: session.blockCount + (enforcementAction === 'BLOCK' ? 1 : 0),
      reviewCount: session.reviewCount + (enforcementAction === 'APPROVAL_REQUIRED' ? 1 : 0),
      dataTags: united(session.dataTags, evaluation.dataTags),
    });
    if (enforcementAction !== 'BLOCK' && evaluation.tool !== '') {
      countTool.run({ sessionRow: session.id, tool: evaluation.tool, seq });
    }
    return seq;
  }

  return {
    record: (evaluation, decide) =>
      writer.run((): RecordResult => {
        const integrationRow = integrations.find(evaluation.integrationId);
        const earlier = idempotencyKeys.find(integrationRow, evaluation.idempotency);
        if (earlier) return earlier;

        const named = evaluation.session;
        let session: SessionRow | null = null;
        if (named && 'id' in named) {
          session = sessions.find(integrationRow, named.id);
          if (!session) return { kind: 'no_session' };
          const status = statusAt(session, evaluation.at);
          if (status !== 'ACTIVE') return { kind: 'not_active', status };
        }
        if (named && 'name' in named) session = namedSessions.find(integrationRow, named, evaluation.at);
        const review =
          evaluation.reviewRequestId === null
            ? null
            : reviews.findNamed(integrationRow, evaluation.reviewRequestId, evaluation.at);
        if (evaluation.reviewRequestId !== null && !review) return { kind: 'no_review' };
        if (named && 'open' in named) session ??= sessions.insert(named.open, integrationRow);
        if (named && 'name' in named && session) {
          namedSessions.use(integrationRow, named, session.id, evaluation.at);
        }

        const verdict = decide(
          session ? new RowContext(session, sessions) : emptyContext(evaluation.at),
          review,
        );

        const policySetRow = policySets.ensure(evaluation.policySet);
        const { lastInsertRowid } = insert.run({
          uid: evaluation.id,
          integrationRow,
          sessionRow: session?.id ?? null,
          seq: session ? advance(session, evaluation, verdict) : null,
          transport: evaluation.transport,
          tool: evaluation.tool,
          targetKey: evaluation.targetKey,
          targetMetadata: evaluation.targetMetadata,
          correlationId: evaluation.correlationId,
          outcome: verdict.outcome,
          enforcementAction: verdict.enforcementAction,
          severity: verdict.severity,
          enforcedSeverity: verdict.enforcedSeverity,
          violations: verdict.violations.length ? JSON.stringify(verdict.violations) : null,
          dataTags: evaluation.dataTags.length ? JSON.stringify(evaluation.dataTags) : null,
          detections: evaluation.detections,
          policySetRow,
          input: evaluation.input,
          reviewUid: verdict.reviewRequestId ?? (verdict.consumesReview ? evaluation.reviewRequestId : null),
          createdAt: evaluation.at,
        });
        if (verdict.consumesReview && review) reviews.consume(review.row, evaluation.at);
        if (verdict.review) {
          reviews.insert(verdict.review, {
            integrationRow,
            sessionRow: session?.id ?? null,
            evaluationRow: Number(lastInsertRowid),
            tool: evaluation.tool,
            policySetRow,
            createdAt: evaluation.at,
          });
        }
        idempotencyKeys.keep(integrationRow, evaluation.idempotency, verdict.answer, evaluation.at);
        return { kind: 'recorded', answer: verdict.answer };
      }),

    listInSession: (integrationId, sessionId, page) =>
      read(() => {
        const session = sessions.find(integrations.find(integrationId), sessionId);
        if (!session) return null;
        const where = eq(evaluations.sessionId, session.id);
        const items = db
          .select()
          .from(evaluations)
          .where(and(where))
          .orderBy(desc(evaluations.seq))
          .limit(page.size)
          .offset(offsetOf(page))
          .all()
          .map(
            (row): StoredEvaluation => ({
              id: row.uid,
              sessionId: session.uid,
              seq: row.seq,
              tool: row.tool,
              targetKey: row.targetKey,
              targetMetadata: row.targetMetadata,
              correlationId: row.correlationId,
              outcome: row.outcome,
              enforcementAction: row.enforcementAction,
              severity: row.severity,
              violations: parseList(row.violations),
              dataTags: parseList(row.dataTags),
              detections: row.detections ?? '[]',
              reviewRequestId: row.reviewUid,
              input: row.input,
              policies: policySets.membersOf(row.policySetId),
              createdAt: row.createdAt,
            }),
          );
        return {
          items,
          total: db.select({ total: count() }).from(evaluations).where(where).get()?.total ?? 0,
        };
      }),
  };
}

export const parseList = <T>(text: string | null): T[] => (text === null ? [] : (JSON.parse(text) as T[]));

/** The JSON text of the union; the very text that was there when nothing is new. */
function united(text: string, added: readonly string[]): string {
  if (added.length === 0) return text;
  const seen = JSON.parse(text) as string[];
  const fresh = added.filter((tag) => !seen.includes(tag));
  return fresh.length === 0 ? text : JSON.stringify([...seen, ...fresh]);
}
