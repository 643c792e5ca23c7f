import { asc, gte } from 'drizzle-orm';
import type { Db } from './database.ts';
import { evaluations } from './tables.ts';

/** The first position made at that time or later, found by halves: positions are drawn in the order of time, nearly. */
export async function positionAt(db: Db, time: number, last: number): Promise<number> {
  let [low, high] = [0, last];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [next] = await db
      .select({ position: evaluations.position, at: evaluations.createdAt })
      .from(evaluations)
      .where(gte(evaluations.position, middle))
      .orderBy(asc(evaluations.position))
      .limit(1);
    if (next && next.at < time) low = next.position + 1;
    else high = middle;
  }
  return low;
}

/** How far from the order of time a position may be: a change may wait for its locks. */
export const slackMs = 10_000;
