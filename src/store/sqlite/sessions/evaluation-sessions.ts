import { and, count, desc, eq, gt, inArray, lte, or, type SQL, sql } from 'drizzle-orm';
import { byteLengths, noQuotas, overQuota } from '../../../evaluate/quotas.ts';
import { statusAt } from '../../../evaluate/session.ts';
import { type NewSession, parsePlace, rootIdOf } from '../../../evaluate/session-places.ts';
import { refusalByParent } from '../../../evaluate/settle.ts';
import type { GrantRows } from '../../../evaluate/sqlite/grants.ts';
import type { RecordedRows } from '../../../evaluate/sqlite/record.ts';
import { type SessionState, toolsInRow } from '../../../evaluate/sqlite/session-state.ts';
import type { SessionChanges, SessionStates } from '../../../evaluate/sqlite/session-states.ts';
import { isRequester } from '../../../features/reviews/store.ts';
import type { SessionStatus } from '../../../features/sessions/schema.ts';
import {
  type ListedSession,
  type ParentRefusal,
  type SessionFilter,
  type SessionStore,
  type StoredSession,
  storedSessionOf,
} from '../../../features/sessions/store.ts';
import { listedToolsLimit } from '../../../features/sessions/words.ts';
import { offsetOf } from '../../pages.ts';
import { isOpenAt, type Requester } from '../../reviews.ts';

import type { Sqlite } from '../database.ts';
import { urgency } from '../file/disk-reserve.ts';
import { hideValues, prepareHotRead } from '../hot-statement.ts';
import type { ReviewCancellations } from '../review-database.ts';
import * as tables from '../tables.ts';
import {
  evaluationSessions,
  integrationKeys,
  integrations,
  integrations as integrationTable,
  sessionStates,
  sessionTools,
} from '../tables.ts';
import { createSessionRanks } from './session-ranks.ts';

/** Sessions of these row ids for a list, newest first: of the tools only the first names are read. */
function createSessionList({
  client,
  db,
}: Pick<Sqlite, 'client' | 'db'>): (ids: readonly number[], now: number) => ListedSession[] {
  const { toolCounts } = sessionStates;
  const fields = {
    id: evaluationSessions.uid,
    integrationId: integrations.id,
    keptStatus: evaluationSessions.status,
    entityId: evaluationSessions.entityId,
    externalSessionId: evaluationSessions.externalSessionId,
    metadata: evaluationSessions.metadata,
    startedAt: evaluationSessions.startedAt,
    expiresAt: evaluationSessions.expiresAt,
    endedAt: evaluationSessions.endedAt,
    parentId: evaluationSessions.parentUid,
    place: evaluationSessions.place,
    actionCount: sessionStates.actionCount,
    warningCount: sessionStates.warningCount,
    blockCount: sessionStates.blockCount,
    reviewCount: sessionStates.reviewCount,
    rejectionCount: sessionStates.rejectionCount,
    dataTags: sessionStates.dataTags,
    labels: sessionStates.labels,
    tools: sql<string>`(SELECT json_group_array(value ->> 0) FROM
      (SELECT value FROM json_each(${toolCounts}) ORDER BY key LIMIT ${sql.raw(String(listedToolsLimit))}))`,
    toolsUsedTotal: sql<number>`json_array_length(${toolCounts}) + iif(json_array_length(${toolCounts}) < ${sql.raw(String(toolsInRow))}, 0,
      (SELECT count(*) FROM ${sessionTools} WHERE ${sessionTools.sessionId} = ${evaluationSessions.id}))`,
  };
  const byIds = prepareHotRead(
    client,
    fields,
    db
      .select(fields)
      .from(evaluationSessions)
      .innerJoin(sessionStates, eq(sessionStates.sessionId, evaluationSessions.id))
      .innerJoin(integrations, eq(integrations.row, evaluationSessions.integrationId))
      .where(inArray(evaluationSessions.id, sql`(SELECT value FROM json_each(${sql.placeholder('ids')}))`))
      .orderBy(desc(evaluationSessions.id)),
    ['ids'],
  );

  return (ids, now) =>
    byIds
      .all(JSON.stringify(ids))
      .map(({ keptStatus, tools, dataTags, labels, parentId, place, ...row }) => ({
        ...row,
        status: statusAt({ status: keptStatus, expiresAt: row.expiresAt }, now),
        place: parsePlace(parentId, place),
        dataTags: JSON.parse(dataTags) as string[],
        labels: JSON.parse(labels) as string[],
        toolsUsed: JSON.parse(tools) as string[],
      }));
}

interface SessionRowsOfStore
  extends Pick<
    RecordedRows,
    | 'sessions'
    | 'namedSessions'
    | 'integrations'
    | 'idempotencyKeys'
    | 'counterScopes'
    | 'eventLog'
    | 'trees'
    | 'usage'
  > {
  grants: Pick<GrantRows, 'ofSession'>;
  cancellations: Pick<ReviewCancellations, 'endSession'>;
}

export function createSessions(
  { client, db, writer, read }: Sqlite,
  rows: SessionRowsOfStore,
): Omit<SessionStore, 'removeLabel' | 'removeGrant' | 'endIdle'> {
  const { sessions: states, namedSessions, integrations, idempotencyKeys, counterScopes } = rows;
  const { eventLog, trees, grants, usage, cancellations } = rows;
  const ranks = createSessionRanks({ client });
  const listRows = createSessionList({ client, db });

  /** The condition on the integration; null names all of them one by one, so that their indexes serve. */
  const owned = (integrationRow: number | null): SQL =>
    integrationRow === null
      ? inArray(
          evaluationSessions.integrationId,
          db.select({ id: integrationTable.row }).from(integrationTable),
        )
      : eq(evaluationSessions.integrationId, integrationRow);

  /** Row ids of the page. A filter by entity or external id walks its index over what comes before the page. */
  function pageOf(
    integrationRow: number | null,
    { status, entityId, externalSessionId, parentSessionId }: SessionFilter,
    now: number,
    page: { limit: number; offset: number },
  ): { ids: number[]; total: number } {
    if (entityId === undefined && externalSessionId === undefined && parentSessionId === undefined) {
      return ranks.pageOf(integrationRow, status, now, page);
    }
    const where = and(
      owned(integrationRow),
      entityId === undefined ? undefined : eq(evaluationSessions.entityId, entityId.toLowerCase()),
      externalSessionId === undefined
        ? undefined
        : eq(evaluationSessions.externalSessionId, externalSessionId),
      parentSessionId === undefined ? undefined : below(parentSessionId.toLowerCase()),
      status === undefined ? undefined : havingStatus(status, now),
    );
    const ids = db
      .select({ id: evaluationSessions.id })
      .from(evaluationSessions)
      .where(where)
      .orderBy(desc(evaluationSessions.id))
      .limit(page.limit)
      .offset(page.offset)
      .all()
      .map((row) => row.id);
    const total = db.select({ total: count() }).from(evaluationSessions).where(where).get()?.total ?? 0;
    return { ids, total };
  }

  const rowOf = (integrationId: string | null) =>
    integrationId === null ? null : integrations.find(integrationId);
  const find = (integrationId: string | null, id: string): SessionState | null =>
    states.read(rowOf(integrationId), id.toLowerCase());
  const toStored = (state: SessionState, now: number): StoredSession =>
    storedOf(state, integrations.idOf(state.row.integrationId), now);

  function refusalBelow(session: NewSession): ParentRefusal | null {
    const [parent = null] = trees.ancestorsOf(session.place, true, session.startedAt);
    return refusalByParent(parent, session, session.startedAt);
  }

  return {
    create: (session, response, idempotency, { event, quotas = noQuotas } = {}) =>
      writer.run(() => {
        const integrationRow = integrations.find(session.integrationId);
        const at = session.startedAt;
        const earlier = idempotencyKeys.respondAgain(integrationRow, idempotency, at);
        if (earlier) return earlier;
        const used = usage.of(integrationRow, at);
        const bytes = quotas.maxBytesPerDay === null ? 0 : byteLengths([session.metadata], used);
        const refused =
          (session.place && refusalBelow(session)) ?? overQuota(quotas, used, { sessions: 1, bytes });
        if (refused) return refused;
        if (bytes > 0) usage.addBytes(integrationRow, at, bytes);
        const counts = trees.countsOf(null, session);
        states.open(session, integrationRow);
        if (event) eventLog.append(event);
        if (counts) trees.begin(session, counts);
        idempotencyKeys.keep(integrationRow, idempotency, response, at);
        return { kind: 'created' };
      }),

    findParent: (id, now) => read(() => trees.find(id, now)),

    find: (integrationId, id, now) =>
      read(() => {
        const state = find(integrationId, id);
        return state ? toStored(state, now) : null;
      }),

    findNamed: (integrationId, name, usedAfter, now) =>
      read(() => namedSessions.find(integrations.find(integrationId), { name, usedAfter }, now)),

    list: (integrationId, filter, page, now) =>
      read(() => {
        const limits = { limit: page.size, offset: offsetOf(page) };
        const { ids, total } = pageOf(rowOf(integrationId), filter, now, limits);
        return { items: listRows(ids, now), total };
      }),

    findWithActions: (integrationId, id, now) =>
      read(() => {
        const state = find(integrationId, id);
        if (!state) return null;
        const session = toStored(state, now);
        return {
          session,
          recentActions: states.readRecentActions(state),
          grants: session.status === 'ACTIVE' ? grants.ofSession(state.row.id).filter(isOpenAt(now)) : [],
        };
      }),

    end: (integrationId, id, { status, now, response, idempotency = null, event, cancelling }) =>
      writer.run(() => {
        const integrationRow = integrations.find(integrationId);
        const earlier = idempotencyKeys.respondAgain(integrationRow, idempotency, now);
        if (earlier) return earlier;
        const state = states.find(integrationRow, id.toLowerCase());
        if (!state) return { kind: 'no_session' };
        const before = statusAt(state, now);
        if (before !== 'ACTIVE') return { kind: 'not_active', status: before };
        trees.endBelow(state, status, now, (child) => {
          counterScopes.endSession(child, now);
          if (event) eventLog.append(event(toStored(child, now)));
          cancellations.endSession(child.row.id, now, cancelling);
        });
        states.end(state, status, now);
        counterScopes.endSession(state, now);
        const parent = state.place && states.findAny(state.place.parentId);
        if (parent) trees.gather(parent, now);
        const ended = toStored(state, now);
        if (event) eventLog.append(event(ended));
        cancellations.endSession(state.row.id, now, cancelling);
        const text = response(ended);
        idempotencyKeys.keep(integrationRow, idempotency, text, now);
        return { kind: 'ended', response: text };
      }, urgency.ending),
  };
}

const storedOf = (state: SessionState, integrationId: string, now: number): StoredSession =>
  storedSessionOf({ ...state.row, id: state.row.uid, integrationId }, state, now);

/** Found by the root of the tree, which an index names for all sessions below one. */
const below = (parentId: string): SQL =>
  sql`${evaluationSessions.place} IS NOT NULL AND ${evaluationSessions.parentUid} = ${parentId}
    AND json_extract(${evaluationSessions.place}, '$.rootId') =
      (SELECT coalesce(json_extract(place, '$.rootId'), uid) FROM evaluation_sessions WHERE uid = ${parentId})`;

/** The plus keeps SQLite from the index by status, which would be walked whole: few sessions have the same entity. */
function havingStatus(status: SessionStatus, now: number): SQL | undefined {
  const kept = status === 'EXPIRED' ? 'ACTIVE' : status;
  const { expiresAt } = evaluationSessions;
  return and(
    sql`+${evaluationSessions.status} = ${kept}`,
    status === 'ACTIVE' ? gt(expiresAt, now) : undefined,
    status === 'EXPIRED' ? lte(expiresAt, now) : undefined,
  );
}

/** Changes that operators make in a session: with their database, so that they are recorded. */
export function createSessionLabels(
  { db, writer }: Pick<Sqlite, 'db' | 'writer'>,
  sessions: SessionStates,
  grants: GrantRows,
  changes: SessionChanges,
): Pick<SessionStore, 'removeLabel' | 'removeGrant'> {
  /** In any session of its tree. */
  const mayHaveRequested = ({ row, place }: SessionState, requester: Requester): boolean => {
    const { uid, place: places, integrationId } = evaluationSessions;
    const root = rootIdOf({ id: row.uid, place });
    return (
      db
        .select({ id: evaluationSessions.id })
        .from(evaluationSessions)
        .innerJoin(integrations, eq(integrations.row, integrationId))
        .leftJoin(integrationKeys, eq(integrationKeys.integrationId, integrations.id))
        .where(
          and(
            or(eq(uid, root), sql`${places} IS NOT NULL AND json_extract(${places}, '$.rootId') = ${root}`),
            isRequester({ hot: tables, tables }, requester),
          ),
        )
        .limit(1)
        .get() !== undefined
    );
  };

  return {
    removeGrant: (sessionId, grantId, now) => writer.run(() => grants.close(sessionId, grantId, now)),

    removeLabel: (id, label, notBy = null) =>
      writer.run(() => {
        const state = sessions.findAny(id.toLowerCase());
        if (!state?.labels.includes(label)) return 'no_label';
        if (notBy && mayHaveRequested(state, notBy)) return 'own_request';
        sessions.removeLabel(state, label);
        changes.addRemovedLabel(state.row.id, label);
        return 'removed';
      }),
  };
}

/** A step looks at so many sessions: a few milliseconds. */
const mostLooked = 200;

interface Looked {
  uid: string;
  startedAt: number;
  lastEvaluationId: number | null;
  isOver: 0 | 1;
  isIdle: 0 | 1;
}

export function createIdleSessions(
  { client, writer, read }: Pick<Sqlite, 'client' | 'writer' | 'read'>,
  {
    sessions: states,
    integrations,
    counterScopes,
    eventLog,
  }: Pick<RecordedRows, 'sessions' | 'integrations' | 'counterScopes' | 'eventLog'>,
): Pick<SessionStore, 'endIdle'> {
  const look = client.prepare<object, Looked>(
    hideValues(`SELECT session.uid, session.started_at AS startedAt, state.last_evaluation_id AS lastEvaluationId,
        session.expires_at <= @now AS isOver,
        session.has_children = 0
          AND coalesce((SELECT created_at FROM evaluations WHERE id = state.last_evaluation_id), 0) <= @idleSince
          AND NOT EXISTS (SELECT 1 FROM reviews WHERE session_id = session.id
            AND status IN ('PENDING', 'APPROVED') AND expires_at > @now)
          AND NOT EXISTS (SELECT 1 FROM grants WHERE session_id = session.id
            AND closed_at IS NULL AND uses_left IS NOT 0 AND expires_at > @now) AS isIdle
      FROM evaluation_sessions AS session JOIN session_states AS state ON state.session_id = session.id
      WHERE session.ends_when_idle = 1 AND session.status = 'ACTIVE' AND session.started_at <= @idleSince
        AND (session.started_at, session.id) >
          (@afterStart, coalesce((SELECT id FROM evaluation_sessions WHERE uid = @afterId), 0))
      ORDER BY session.started_at, session.id LIMIT ${mostLooked}`),
  );
  const leave = client.prepare<[string]>('UPDATE evaluation_sessions SET ends_when_idle = 0 WHERE uid = ?');

  return {
    async endIdle({ idleSince, now, after }, event) {
      const found = await read(() =>
        look.all({ idleSince, now, afterStart: after?.startedAt ?? 0, afterId: after?.id ?? '' }),
      );
      const done = found.filter(({ isOver, isIdle }) => isOver || isIdle);
      if (done.length > 0) {
        await writer.run(() => {
          for (const { uid, lastEvaluationId } of done) {
            const state = states.findAny(uid);
            if (!state || state.lastEvaluationId !== lastEvaluationId || state.row.hasChildren) continue;
            const status = statusAt(state, now);
            if (status === 'EXPIRED') leave.run(uid);
            if (status !== 'ACTIVE') continue;
            states.end(state, 'COMPLETED', now);
            counterScopes.endSession(state, now);
            const integrationId = integrations.idOf(state.row.integrationId);
            eventLog.append(event(storedOf(state, integrationId, now)));
          }
        });
      }
      const last = found.at(-1);
      return last && found.length === mostLooked ? { startedAt: last.startedAt, id: last.uid } : null;
    },
  };
}
