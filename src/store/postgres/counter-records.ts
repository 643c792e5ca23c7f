import { and, asc, eq, gt, inArray, isNull, lte, or, type SQL, sql } from 'drizzle-orm';
import type { CountedRecord } from '../../schemas/counter-cells.ts';
import { hourMs } from '../../schemas/durations.ts';
import type { CountedPlace } from '../counters.ts';
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
  const start = await read((db) => positionAt(db, since, last));
  const rows: number[] = [];
  for (let after = start - 1; ; ) {
    const from = after;
    const some = await read((db) =>
      positionsOf(db, and(isIn(db, place), gt(position, from), lte(position, last)), mostRows),
    );
    rows.push(...some);
    const end = some.at(-1);
    if (end === undefined || some.length < mostRows) return { rows, last };
    after = end;
  }
}

/** Those after a position, of a scope in which little was recorded since. */
export const listRecordsAfter = (db: Db, place: CountedPlace, after: number): Promise<number[]> =>
  positionsOf(db, and(isIn(db, place), gt(position, after)));

async function positionsOf(db: Db, where: SQL | undefined, limit?: number): Promise<number[]> {
  const query = db
    .select({ position })
    .from(evaluations)
    .leftJoin(evaluationSessions, eq(evaluationSessions.id, evaluations.sessionId))
    .where(where)
    .orderBy(asc(position))
    .$dynamic();
  return (await (limit === undefined ? query : query.limit(limit))).map((row) => row.position);
}

function isIn(db: Db, place: CountedPlace): SQL | undefined {
  const { scope, integrationId } = place;
  const isOwn = eq(evaluations.integrationId, integrationId);
  const inSessions = (where: SQL | undefined) =>
    inArray(
      evaluations.sessionId,
      db.select({ id: evaluationSessions.id }).from(evaluationSessions).where(where),
    );
  switch (scope) {
    case 'session':
      return and(isOwn, eq(evaluations.sessionId, place.sessionId));
    case 'tree':
      // Of whatever integration.
      return inSessions(
        or(eq(evaluationSessions.id, place.rootId), eq(evaluationSessions.rootUid, place.rootId)),
      );
    case 'entity':
      if (place.entityId === null) return and(isOwn, isNull(evaluationSessions.entityId));
      return inSessions(
        and(
          eq(evaluationSessions.integrationId, integrationId),
          eq(evaluationSessions.entityId, place.entityId),
        ),
      );
    case 'integration':
      return isOwn;
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
