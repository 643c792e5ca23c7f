import { and, count, desc, eq, getTableColumns, gt, lte, or, type SQL, sql } from 'drizzle-orm';
import type { PgSelect } from 'drizzle-orm/pg-core';
import { attemptCountsOf, statusAt } from '../../../evaluate/session.ts';
import { parsePlace } from '../../../evaluate/session-places.ts';
import { isRequester } from '../../../features/reviews/store.ts';
import type { SessionStatus } from '../../../features/sessions/schema.ts';
import {
  recentActionColumns,
  type SessionFilter,
  type SessionStore,
  type StoredSession,
  storedSessionOf,
  toRecentAction,
} from '../../../features/sessions/store.ts';
import { listedToolsLimit, recentActionsLimit } from '../../../features/sessions/words.ts';
import { postgresDialect } from '../../../sql/postgres/sql.ts';
import { mostCounted, offsetOf } from '../../pages.ts';
import { isOpenAt, type Requester } from '../../reviews.ts';

import type { SessionAction } from '../../store.ts';
import type { Db, Postgres } from '../database.ts';
import { closeGrant, grantsOf } from '../grants.ts';
import { lockSessions } from '../locks.ts';
import {
  evaluationSessions,
  evaluations,
  integrationKeys,
  integrations,
  namedSessions,
  sessionChanges,
  sessionStates,
} from '../tables.ts';

/** How many rows a query finds, counted up to `mostCounted`: one more when there are more. */
async function boundedTotalOf(db: Db, found: PgSelect): Promise<number> {
  const [counted] = await db.select({ total: count() }).from(found.limit(mostCounted + 1).as('counted'));
  return counted?.total ?? 0;
}

/** The selection of a query whose rows are only counted. */
const onlyCounted = { one: sql<number>`1`.as('one') };

const { actionCount, warningCount, blockCount, reviewCount, rejectionCount } = sessionStates;
const { dataTags, labels, toolCounts, stoppedCounts } = sessionStates;
const columns = {
  ...getTableColumns(evaluationSessions),
  ...{ actionCount, warningCount, blockCount, reviewCount, rejectionCount },
  ...{ dataTags, labels, toolCounts, stoppedCounts },
};

const selectSessions = (db: Db, where: SQL | undefined) =>
  db
    .select(columns)
    .from(evaluationSessions)
    .innerJoin(sessionStates, eq(sessionStates.sessionId, evaluationSessions.id))
    .where(where)
    .$dynamic();

type SessionColumns = Awaited<ReturnType<typeof selectSessions>>[number];

function toStoredSession(row: SessionColumns, now: number): StoredSession {
  const toolCounts = new Map(JSON.parse(row.toolCounts) as [string, number][]);
  const stoppedCounts = new Map(JSON.parse(row.stoppedCounts) as [string, number][]);
  const progress = {
    ...row,
    place: parsePlace(row.parentUid, row.place),
    dataTags: JSON.parse(row.dataTags) as string[],
    labels: JSON.parse(row.labels) as string[],
    toolCounts,
    attemptCounts: attemptCountsOf({ toolCounts, stoppedCounts }),
  };
  return storedSessionOf(row, progress, now);
}

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
    .select(recentActionColumns(evaluations))
    .from(evaluations)
    .where(and(eq(evaluations.sessionId, sessionId), eq(evaluations.phase, 'ACTION')))
    .orderBy(desc(evaluations.position))
    .limit(recentActionsLimit);
  return rows.map(toRecentAction);
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

/** Changes that operators make in a session: with `change` of the audit, so that they are recorded. */
export const createSessionLabels = ({
  change,
}: Pick<Postgres, 'change'>): Pick<SessionStore, 'removeLabel' | 'removeGrant'> => ({
  removeGrant: (sessionId, grantId, now) =>
    change(async (tx) => {
      await lockSessions(tx, [sessionId]);
      return closeGrant(tx, sessionId, grantId, now);
    }),

  removeLabel: (id, label, notBy = null) =>
    change(async (tx) => {
      await lockSessions(tx, [id]);
      const isIt = eq(sessionStates.sessionId, id);
      const [state] = await tx.select({ labels: sessionStates.labels }).from(sessionStates).where(isIt);
      const labels = state ? (JSON.parse(state.labels) as string[]) : [];
      if (!labels.includes(label)) return 'no_label';
      if (notBy && (await mayHaveRequested(tx, id, notBy))) return 'own_request';
      const kept = labels.filter((one) => one !== label);
      await tx
        .update(sessionStates)
        .set({ labels: JSON.stringify(kept) })
        .where(isIt);
      await tx.insert(sessionChanges).values({ sessionId: id, kind: 'LABEL_REMOVED', label });
      return 'removed';
    }),
});

/** In any session of its tree. */
async function mayHaveRequested(tx: Db, sessionId: string, requester: Requester): Promise<boolean> {
  const { id, rootUid, integrationId } = evaluationSessions;
  const [session] = await tx.select({ rootUid }).from(evaluationSessions).where(eq(id, sessionId));
  const root = session?.rootUid ?? sessionId;
  const found = await tx
    .select({ id })
    .from(evaluationSessions)
    .leftJoin(integrationKeys, eq(integrationKeys.integrationId, integrationId))
    .where(and(or(eq(id, root), eq(rootUid, root)), isRequester(postgresDialect, requester)))
    .limit(1);
  return found.length > 0;
}
