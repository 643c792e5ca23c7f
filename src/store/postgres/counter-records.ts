import { eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { CountedPlace } from '../../evaluate/counters/counters.ts';
import type { CountedRecord } from '../../schemas/counter-cells.ts';
import { hourMs } from '../../schemas/durations.ts';
import type { Db, Postgres } from './database.ts';
import { positionAt } from './evaluation-times.ts';
import type { FinalPosition } from './final-position.ts';
import { evaluationSessions, evaluations } from './tables.ts';

/** Positions that one read looks at. */
const mostRows = 5_000;
/** Replicas record with clocks that differ a little. */
const clockSlackMs = hourMs;

const { position } = evaluations;

/** Positions of what was recorded in a scope from a time on, in small steps; and up to which position that is all. */
export async function listRecords(
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

/** Those after a position, of a scope in which little was recorded since. */
export const listRecordsAfter = (db: Db, place: CountedPlace, after: number): Promise<number[]> =>
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
      // Of whatever integration.
      return sql`${id} = ${place.rootId} OR ${rootUid} = ${place.rootId}`;
    case 'entity':
      return place.entityId === null ? null : sql`${isOwn} AND ${entityId} = ${place.entityId}`;
    case 'integration':
      return null;
  }
}

/** In the order of the positions that are asked for. */
export async function readRecords(
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
