import { and, asc, count, desc, eq, gt, lte, type SQL, sql } from 'drizzle-orm';
import type { SessionStatus } from '../../schemas/evaluation-sessions.ts';
import { recentActionsLimit } from '../../schemas/evaluation-sessions.ts';
import type {
  NewSession,
  SessionFilter,
  SessionStore,
  StoredAction,
  StoredSession,
} from '../evaluation-sessions.ts';
import type { Sqlite } from './database.ts';
import type { IdempotencyKeys } from './idempotency.ts';
import type { IntegrationRows } from './integration-rows.ts';
import type { NamedSessionRows } from './named-sessions.ts';
import { offsetOf } from './pages.ts';
import { evaluationSessions, evaluations, sessionTools } from './tables.ts';

export type SessionRow = typeof evaluationSessions.$inferSelect;

/** The reads and writes of a session that evaluations share. Synchronous: they run inside a change. */
export interface SessionRows {
  find(integrationRow: number, id: string): SessionRow | null;
  insert(session: NewSession, integrationRow: number): SessionRow;
  readToolCounts(sessionRow: number): Map<string, number>;
  readRecentActions(sessionRow: number): StoredAction[];
}

/** `expiresAt` itself is already too late. */
export const statusAt = (row: Pick<SessionRow, 'status' | 'expiresAt'>, now: number): SessionStatus =>
  row.status === 'ACTIVE' && row.expiresAt <= now ? 'EXPIRED' : row.status;

export function createSessionRows({ db }: Pick<Sqlite, 'db'>): SessionRows {
  const byUid = db
    .select()
    .from(evaluationSessions)
    .where(eq(evaluationSessions.uid, sql.placeholder('id')))
    .prepare();
  const tools = db
    .select({ tool: sessionTools.tool, callCount: sessionTools.callCount })
    .from(sessionTools)
    .where(eq(sessionTools.sessionId, sql.placeholder('sessionRow')))
    .orderBy(asc(sessionTools.firstSeq))
    .prepare();
  const actions = db
    .select({
      seq: evaluations.seq,
      tool: evaluations.tool,
      targetKey: evaluations.targetKey,
      dataTags: evaluations.dataTags,
      enforcementAction: evaluations.enforcementAction,
      severity: evaluations.enforcedSeverity,
      at: evaluations.createdAt,
    })
    .from(evaluations)
    .where(eq(evaluations.sessionId, sql.placeholder('sessionRow')))
    .orderBy(desc(evaluations.seq))
    .limit(recentActionsLimit)
    .prepare();

  return {
    find(integrationRow, id) {
      const row = byUid.get({ id: id.toLowerCase() });
      return row && row.integrationId === integrationRow ? row : null;
    },
    insert: (session, integrationId) =>
      db
        .insert(evaluationSessions)
        .values({
          uid: session.id,
          integrationId,
          status: 'ACTIVE',
          entityId: session.entityId,
          externalSessionId: session.externalSessionId,
          metadata: session.metadata,
          startedAt: session.startedAt,
          expiresAt: session.expiresAt,
          actionCount: 0,
          warningCount: 0,
          blockCount: 0,
          reviewCount: 0,
          dataTags: '[]',
        })
        .returning()
        .get(),
    readToolCounts: (sessionRow) =>
      new Map(tools.all({ sessionRow }).map(({ tool, callCount }) => [tool, callCount])),
    readRecentActions: (sessionRow) =>
      actions.all({ sessionRow }).map((row) => ({
        ...row,
        seq: row.seq ?? 0,
        dataTags: row.dataTags ? JSON.parse(row.dataTags) : [],
      })),
  };
}

export function createSessions(
  { db, writer, read }: Sqlite,
  rows: SessionRows,
  namedSessions: NamedSessionRows,
  integrations: IntegrationRows,
  idempotencyKeys: IdempotencyKeys,
): SessionStore {
  const toStored = (row: SessionRow, integrationId: string, now: number): StoredSession => ({
    id: row.uid,
    integrationId,
    status: statusAt(row, now),
    entityId: row.entityId,
    externalSessionId: row.externalSessionId,
    metadata: row.metadata,
    startedAt: row.startedAt,
    expiresAt: row.expiresAt,
    endedAt: row.endedAt,
    actionCount: row.actionCount,
    warningCount: row.warningCount,
    blockCount: row.blockCount,
    reviewCount: row.reviewCount,
    dataTags: JSON.parse(row.dataTags),
    toolCounts: rows.readToolCounts(row.id),
  });

  return {
    create: (session, answer, idempotency) =>
      writer.run(() => {
        const integrationRow = integrations.find(session.integrationId);
        const earlier = idempotencyKeys.find(integrationRow, idempotency);
        if (earlier) return earlier;
        rows.insert(session, integrationRow);
        idempotencyKeys.keep(integrationRow, idempotency, answer, session.startedAt);
        return { kind: 'created' };
      }),

    find: (integrationId, id, now) =>
      read(() => {
        const row = rows.find(integrations.find(integrationId), id);
        return row ? toStored(row, integrationId, now) : null;
      }),

    findNamed: (integrationId, name, usedAfter, now) =>
      read(() => namedSessions.find(integrations.find(integrationId), { name, usedAfter }, now)?.uid ?? null),

    list: (integrationId, filter, page, now) =>
      read(() => {
        const where = matching(integrations.find(integrationId), filter, now);
        return {
          items: db
            .select()
            .from(evaluationSessions)
            .where(where)
            .orderBy(desc(evaluationSessions.id))
            .limit(page.size)
            .offset(offsetOf(page))
            .all()
            .map((row) => toStored(row, integrationId, now)),
          total: db.select({ total: count() }).from(evaluationSessions).where(where).get()?.total ?? 0,
        };
      }),

    listRecentActions: (integrationId, id, limit) =>
      read(() => {
        const row = rows.find(integrations.find(integrationId), id);
        return row ? rows.readRecentActions(row.id).slice(0, limit) : [];
      }),

    end: (integrationId, id, status, now, answer, idempotency) =>
      writer.run(() => {
        const integrationRow = integrations.find(integrationId);
        const earlier = idempotencyKeys.find(integrationRow, idempotency);
        if (earlier) return earlier;
        const row = rows.find(integrationRow, id);
        if (!row) return { kind: 'no_session' };
        const before = statusAt(row, now);
        if (before !== 'ACTIVE') return { kind: 'not_active', status: before };
        const ended = db
          .update(evaluationSessions)
          .set({ status, endedAt: now })
          .where(and(eq(evaluationSessions.id, row.id), eq(evaluationSessions.status, 'ACTIVE')))
          .returning()
          .get();
        const text = answer(toStored(ended, integrationId, now));
        idempotencyKeys.keep(integrationRow, idempotency, text, now);
        return { kind: 'ended', answer: text };
      }),
  };
}

function matching(integrationRow: number, filter: SessionFilter, now: number): SQL | undefined {
  const { status, entityId, externalSessionId } = filter;
  return and(
    eq(evaluationSessions.integrationId, integrationRow),
    entityId === undefined ? undefined : eq(evaluationSessions.entityId, entityId),
    externalSessionId === undefined ? undefined : eq(evaluationSessions.externalSessionId, externalSessionId),
    status === undefined ? undefined : havingStatus(status, now),
  );
}

function havingStatus(status: SessionStatus, now: number): SQL | undefined {
  if (status === 'COMPLETED' || status === 'TERMINATED') return eq(evaluationSessions.status, status);
  const open = eq(evaluationSessions.status, 'ACTIVE');
  return and(
    open,
    status === 'ACTIVE' ? gt(evaluationSessions.expiresAt, now) : lte(evaluationSessions.expiresAt, now),
  );
}
