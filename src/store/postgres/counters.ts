import { eq, isNull, type SQL, sql } from 'drizzle-orm';
import { type CountedPlace, type CounterStore, scopeName } from '../../evaluate/counters/counters.ts';
import { LoadedScopes } from '../../evaluate/postgres/counter-scopes.ts';
import { apply, type Job } from '../../evaluate/postgres/jobs.ts';
import type { Lanes } from '../../evaluate/postgres/lanes.ts';
import { takesResultsAt } from '../../evaluate/session.ts';
import type { CountedRecord } from '../../schemas/counter-cells.ts';
import { hourMs } from '../../schemas/durations.ts';
import type { Db, Postgres } from './database.ts';
import { positionAt } from './evaluations/evaluation-search.ts';
import type { FinalPosition } from './final-position.ts';
import { lockNames } from './locks.ts';
import { evaluationSessions, evaluations } from './tables.ts';

/** Positions that one read looks at. */
const mostRows = 5_000;
/** Replicas record with clocks that differ a little. */
const clockSlackMs = hourMs;

const { position } = evaluations;

/** Positions of what was recorded in a scope from a time on, in small steps; and up to which position that is all. */
async function listRecords(
  { read }: Pick<Postgres, 'read'>,
  finalPosition: FinalPosition,
  place: CountedPlace,
  time: number,
): Promise<{ rows: number[]; last: number }> {
  const last = await finalPosition.find();
  const since = time - clockSlackMs;
  // Where sessions are looked up one by one, the time of an evaluation says whether it is too old; else a position does.
  const first = sessionsOf(place) ? 1 : await read((db) => positionAt(db, since, last));
  const rows: number[] = [];
  for (let after = first - 1; ; ) {
    const from = after;
    const some = await read((db) =>
      positionsOf(db, place, { after: from, upTo: last, since, limit: mostRows }),
    );
    rows.push(...some);
    const end = some.at(-1);
    if (end === undefined || some.length < mostRows) return { rows, last };
    after = end;
  }
}

/** The evaluations after a position, of a scope in which little was recorded since. */
const listRecordsAfter = (db: Db, place: CountedPlace, after: number): Promise<number[]> =>
  positionsOf(db, place, { after, upTo: Number.MAX_SAFE_INTEGER, since: 0, limit: null });

/** Positions in a scope in (after, upTo], of evaluations from the time `since` on, in ascending order; all when `limit` is null. */
async function positionsOf(
  db: Db,
  place: CountedPlace,
  { after, upTo, since, limit }: { after: number; upTo: number; since: number; limit: number | null },
): Promise<number[]> {
  const range = sql`${position} > ${after}::bigint AND ${position} <= ${upTo}::bigint
    AND ${evaluations.createdAt} >= ${since}::float8`;
  const ofSessions = sessionsOf(place);
  // LATERAL with OFFSET 0 makes PostgreSQL read session by session. For ORDER BY with LIMIT it would scan the positions of all sessions.
  const found = ofSessions
    ? sql`(SELECT id FROM evaluation_sessions WHERE ${ofSessions}) AS counted CROSS JOIN LATERAL (
        SELECT position FROM evaluations WHERE ${evaluations.sessionId} = counted.id AND ${range} OFFSET 0) AS found`
    : sql`(SELECT ${position} FROM evaluations LEFT JOIN evaluation_sessions
        ON ${evaluationSessions.id} = ${evaluations.sessionId}
        WHERE ${evaluations.integrationId} = ${place.integrationId} AND ${range}
          AND ${place.scope === 'integration' ? sql`true` : isNull(evaluationSessions.entityId)}) AS found`;
  const { rows } = await db.execute<{ position: string }>(
    sql`SELECT found.position FROM ${found} ORDER BY found.position LIMIT ${limit}::bigint`,
  );
  return rows.map((row) => Number(row.position));
}

/** The condition for the sessions of a scope; null for a scope that includes evaluations without a session. */
function sessionsOf(place: CountedPlace): SQL | null {
  const { id, integrationId, entityId, rootUid } = evaluationSessions;
  const isOwn = sql`${integrationId} = ${place.integrationId}`;
  switch (place.scope) {
    case 'session':
      return sql`${isOwn} AND ${id} = ${place.sessionId}`;
    case 'tree':
      // Sessions of every integration.
      return sql`${id} = ${place.rootId} OR ${rootUid} = ${place.rootId}`;
    case 'entity':
      return place.entityId === null ? null : sql`${isOwn} AND ${entityId} = ${place.entityId}`;
    case 'integration':
      return null;
  }
}

/** In the order of the positions that are asked for. */
async function readRecords(
  db: Db,
  positions: readonly number[],
  withInput: boolean,
): Promise<CountedRecord[]> {
  if (positions.length === 0) return [];
  const rows = await db
    .select({
      position,
      id: evaluations.id,
      resultOf: evaluations.resultOf,
      phase: evaluations.phase,
      tool: evaluations.tool,
      resultStatus: evaluations.resultStatus,
      cost: evaluations.cost,
      at: evaluations.createdAt,
      enforcementAction: evaluations.enforcementAction,
      severity: evaluations.enforcedSeverity,
      violations: evaluations.violations,
      dataTags: evaluations.dataTags,
      detections: evaluations.detections,
      input: withInput ? evaluations.input : sql<string | null>`NULL`,
      targetKey: evaluations.targetKey,
      session: {
        id: evaluationSessions.id,
        entityId: evaluationSessions.entityId,
        metadata: evaluationSessions.metadata,
        startedAt: evaluationSessions.startedAt,
      },
    })
    .from(evaluations)
    .leftJoin(evaluationSessions, eq(evaluationSessions.id, evaluations.sessionId))
    .where(sql`${position} = ANY(${sql.param(positions)}::bigint[])`);
  const byPosition = new Map(rows.map(({ position: at, ...row }) => [at, row]));
  return positions.flatMap((at) => byPosition.get(at) ?? []);
}

type CatchUp = CounterStore['catchUp'];

export function createCounterHistory(
  { read }: Pick<Postgres, 'read'>,
  finalPosition: FinalPosition,
  lanes: Pick<Lanes, 'run'>,
): Pick<CounterStore, 'listRecords' | 'readRecords' | 'catchUp'> {
  return {
    listRecords: (place, since) => listRecords({ read }, finalPosition, place, since),
    readRecords: (rows, withInput) => read((db) => readRecords(db, rows, withInput)),
    catchUp: (...of) => lanes.run(catchingUp(...of)),
  };
}

/** Counts what was recorded in a scope meanwhile, under the locks of whoever records in it. */
function catchingUp(
  ...[place, { planned, delegators, revision }, after, at, count]: Parameters<CatchUp>
): Job<void> {
  const { integrationId } = place;
  const sessionId =
    place.scope === 'session' ? place.sessionId : place.scope === 'tree' ? place.rootId : null;
  const entityId = place.scope === 'entity' ? place.entityId : null;
  let records: CountedRecord[] = [];
  return {
    sessionIds: sessionId === null ? [] : [sessionId],
    size: 1_000,
    keys: (known) => [
      (sessionId && known.sessions.get(sessionId)?.rootId) ?? sessionId ?? lockNames.chain(integrationId),
    ],

    prepare(batch) {
      batch.integrations.want(integrationId);
      if (sessionId === null) {
        const scope = scopeName(place.scope === 'integration' ? 'integration' : 'entity', {
          entityId,
          rootId: '',
        });
        batch.locks.name(lockNames.counterScope(integrationId, scope));
        batch.counters.scopes.want(integrationId, scope);
        return;
      }
      batch.locks.wantSession(sessionId);
      if (place.scope === 'tree')
        batch.locks.name(
          lockNames.counterScope(integrationId, scopeName('tree', { entityId, rootId: sessionId })),
        );
    },

    async read(db) {
      records = await readRecords(db, await listRecordsAfter(db, place, after), true);
    },

    run(batch) {
      const { sessions, trees, counters } = batch;
      if (batch.integrations.one(integrationId)?.revision !== revision) return;
      const session = place.scope === 'session' ? sessions.find(integrationId, place.sessionId) : null;
      if (place.scope === 'session' && !(session && takesResultsAt(session, at))) return;
      const rootSession = place.scope === 'tree' ? sessions.findAny(place.rootId) : null;
      const root = rootSession && trees.rootOf(rootSession, integrationId, rootSession);
      const loaded = new LoadedScopes(
        counters,
        sessions,
        { integrationId, session, entityId, root },
        planned,
        { integrationId, delegators },
      );
      if (!loaded.uncounted.some(({ scope }) => scope === place.scope)) return;
      const writes = count(records);
      loaded.prepare(writes);
      apply(() => loaded.catchUp(place.scope, session, writes, at));
    },
  };
}

/** A step deletes so many of each. */
const mostDeleted = 500;

/** A counter that an evaluation holds at this moment is left to the next step: it may have been prolonged. */
export function createEndedCounters({ change }: Pick<Postgres, 'change'>): Pick<CounterStore, 'forgetEnded'> {
  async function deleted(tx: Db, statement: SQL): Promise<number> {
    return (await tx.execute(statement)).rowCount ?? 0;
  }
  const ended = (table: SQL, key: SQL, before: number): SQL =>
    sql`DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE ends_at < ${before}
      ORDER BY ends_at LIMIT ${mostDeleted} FOR UPDATE SKIP LOCKED) AND ends_at < ${before}`;

  async function emptySessions(tx: Db, before: number): Promise<number> {
    const { rows } = await tx.execute<{ sessionId: string }>(
      sql`DELETE FROM counting_sessions WHERE (ends_at, session_id) IN (SELECT ends_at, session_id FROM counting_sessions
          WHERE ends_at < ${before} ORDER BY ends_at, session_id LIMIT ${mostDeleted} FOR UPDATE SKIP LOCKED)
        RETURNING session_id AS "sessionId"`,
    );
    const ids = rows.map(({ sessionId }) => sessionId).sort();
    await tx.execute(
      sql`UPDATE session_states SET counters = NULL WHERE session_id IN (
        SELECT session_id FROM session_states WHERE session_id = ANY(${sql.param(ids)}::uuid[]) ORDER BY session_id FOR UPDATE)`,
    );
    return rows.length;
  }

  return {
    async forgetEnded(before) {
      const counts = [
        await change((tx) => deleted(tx, ended(sql`counter_cells`, sql`integration_id, scope, key`, before))),
        await change((tx) => deleted(tx, ended(sql`counter_scopes`, sql`integration_id, scope`, before))),
        await change((tx) => emptySessions(tx, before)),
      ];
      return counts.some((count) => count === mostDeleted);
    },
  };
}
