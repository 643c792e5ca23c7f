import { and, desc, eq, gt, lte, type SQL, sql } from 'drizzle-orm';
import { findingsOf, statusAt } from '../../evaluate/session.ts';
import { parsePlace } from '../../evaluate/session-places.ts';
import type { SessionStatus } from '../../features/sessions/schema.ts';
import { listedToolsLimit, recentActionsLimit } from '../../features/sessions/words.ts';
import type { SessionFilter, SessionStore } from '../evaluation-sessions.ts';
import { isOpenAt } from '../grants.ts';
import { offsetOf } from '../pages.ts';
import { parseList } from '../parse-list.ts';
import type { SessionAction } from '../store.ts';
import type { Db, Postgres } from './database.ts';
import { grantsOf } from './grants.ts';
import { boundedTotalOf, onlyCounted } from './pages.ts';
import { selectSessions, toStoredSession } from './session-columns.ts';
import { evaluationSessions, evaluations, integrations, namedSessions } from './tables.ts';

type Reads = Pick<SessionStore, 'findParent' | 'find' | 'findNamed' | 'list' | 'findWithActions'>;

export function createSessionReads({ read }: Pick<Postgres, 'read'>): Reads {
  async function findRow(db: Db, integrationId: string | null, id: string) {
    const [row] = await selectSessions(db, eq(evaluationSessions.id, id));
    return row && (integrationId === null || row.integrationId === integrationId) ? row : null;
  }

  return {
    find: (integrationId, id, now) =>
      read(async (db) => {
        const row = await findRow(db, integrationId, id);
        return row && toStoredSession(row, now);
      }),

    findParent: (id, now) =>
      read(async (db) => {
        const row = await findRow(db, null, id);
        if (!row) return null;
        const [owner] = await db
          .select({ settings: integrations.settings })
          .from(integrations)
          .where(eq(integrations.id, row.integrationId));
        if (!owner) throw new Error('the integration of a session is missing');
        const { delegatesTo = [] } = JSON.parse(owner.settings) as { delegatesTo?: string[] };
        const { integrationId, entityId, expiresAt } = row;
        return {
          id: row.id,
          integrationId,
          place: parsePlace(row.parentUid, row.place),
          status: statusAt(row, now),
          entityId,
          expiresAt,
          delegatesTo,
        };
      }),

    findNamed: (integrationId, name, usedAfter, now) =>
      read(async (db) => {
        const [found] = await db
          .select({ id: evaluationSessions.id })
          .from(namedSessions)
          .innerJoin(evaluationSessions, eq(evaluationSessions.id, namedSessions.sessionId))
          .where(
            and(
              eq(namedSessions.integrationId, integrationId),
              eq(namedSessions.name, name),
              gt(namedSessions.usedAt, usedAfter),
              eq(evaluationSessions.status, 'ACTIVE'),
              gt(evaluationSessions.expiresAt, now),
            ),
          );
        return found?.id ?? null;
      }),

    list: (integrationId, filter, page, now) =>
      read(async (db) => {
        const where = matching(integrationId, filter, now);
        const rows = await selectSessions(db, where)
          .orderBy(desc(evaluationSessions.startedAt), desc(evaluationSessions.id))
          .limit(page.size)
          .offset(offsetOf(page));
        const counted = db.select(onlyCounted).from(evaluationSessions).where(where).$dynamic();
        const items = rows.map((row) => {
          const { toolCounts, attemptCounts: _, ...session } = toStoredSession(row, now);
          const tools = [...toolCounts.keys()];
          return { ...session, toolsUsed: tools.slice(0, listedToolsLimit), toolsUsedTotal: tools.length };
        });
        return { items, total: await boundedTotalOf(db, counted) };
      }),

    findWithActions: (integrationId, id, now) =>
      read(async (db) => {
        const row = await findRow(db, integrationId, id);
        if (!row) return null;
        const session = toStoredSession(row, now);
        const open = session.status === 'ACTIVE' ? await grantsOf(db, [row.id]) : [];
        return {
          session,
          recentActions: await recentActionsOf(db, row.id),
          grants: open.filter(isOpenAt(now)).map(({ sessionId: _, ...grant }) => grant),
        };
      }),
  };
}

async function recentActionsOf(db: Db, sessionId: string): Promise<SessionAction[]> {
  const rows = await db
    .select({
      seq: evaluations.seq,
      tool: evaluations.tool,
      targetKey: evaluations.targetKey,
      dataTags: evaluations.dataTags,
      enforcementAction: evaluations.enforcementAction,
      severity: evaluations.enforcedSeverity,
      violations: evaluations.violations,
      labels: evaluations.labels,
      repeats: evaluations.repeats,
      at: evaluations.createdAt,
    })
    .from(evaluations)
    .where(and(eq(evaluations.sessionId, sessionId), eq(evaluations.phase, 'ACTION')))
    .orderBy(desc(evaluations.position))
    .limit(recentActionsLimit);
  return rows.map(({ violations, ...row }) => ({
    ...row,
    ...findingsOf(parseList(violations)),
    seq: row.seq ?? 0,
    dataTags: parseList(row.dataTags),
    labels: parseList(row.labels),
  }));
}

function matching(
  integrationId: string | null,
  { status, entityId, externalSessionId, parentSessionId }: SessionFilter,
  now: number,
): SQL | undefined {
  return and(
    integrationId === null ? undefined : eq(evaluationSessions.integrationId, integrationId),
    entityId === undefined ? undefined : eq(evaluationSessions.entityId, entityId.toLowerCase()),
    externalSessionId === undefined
      ? undefined
      : and(
          // As the index has it: an external id may be longer than an index takes.
          sql`md5(${evaluationSessions.externalSessionId}) = md5(${externalSessionId})`,
          eq(evaluationSessions.externalSessionId, externalSessionId),
        ),
    parentSessionId === undefined ? undefined : below(parentSessionId.toLowerCase()),
    status === undefined ? undefined : havingStatus(status, now),
  );
}

/** Found by the root of the tree, which an index names for all sessions below one. */
const below = (parentId: string): SQL =>
  sql`${evaluationSessions.parentUid} = ${parentId} AND ${evaluationSessions.rootUid} =
    (SELECT coalesce(root_uid, id) FROM evaluation_sessions WHERE id = ${parentId})`;

function havingStatus(status: SessionStatus, now: number): SQL | undefined {
  const { expiresAt } = evaluationSessions;
  if (status === 'EXPIRED') return and(eq(evaluationSessions.status, 'ACTIVE'), lte(expiresAt, now));
  return and(eq(evaluationSessions.status, status), status === 'ACTIVE' ? gt(expiresAt, now) : undefined);
}
