import { count, sql } from 'drizzle-orm';
import type { PgSelect } from 'drizzle-orm/pg-core';
import { mostCounted } from '../pages.ts';
import type { Db } from './database.ts';

/** How many rows a query finds, counted up to `mostCounted`: one more when there are more. */
export async function boundedTotalOf(db: Db, found: PgSelect): Promise<number> {
  const [counted] = await db.select({ total: count() }).from(found.limit(mostCounted + 1).as('counted'));
  return counted?.total ?? 0;
}

/** What a query selects that is only counted. */
export const onlyCounted = { one: sql<number>`1`.as('one') };
