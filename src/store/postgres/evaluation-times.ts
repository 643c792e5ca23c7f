import { sql } from 'drizzle-orm';
import type { Db } from './database.ts';

/**
 * The first position made at that time or later, found by halves: positions are drawn in the order of time, nearly. In one
 * statement, since each of some twenty would take longer than its step.
 */
export async function positionAt(db: Db, time: number, last: number): Promise<number> {
  const { rows } = await db.execute<{ low: number }>(sql`
    WITH RECURSIVE halves (low, high) AS (
      SELECT 0::bigint, ${last}::bigint
      UNION ALL
      SELECT CASE WHEN next.created_at < ${time}::float8 THEN next.position + 1 ELSE low END,
        CASE WHEN next.created_at < ${time}::float8 THEN high ELSE (low + high) / 2 END
      FROM halves LEFT JOIN LATERAL (
        SELECT position, created_at FROM evaluations WHERE position >= (low + high) / 2 ORDER BY position LIMIT 1
      ) AS next ON true
      WHERE low < high
    )
    SELECT low FROM halves WHERE low >= high`);
  return Number(rows[0]?.low ?? 0);
}

/** How far from the order of time a position may be: a change may wait for its locks. */
export const slackMs = 10_000;
