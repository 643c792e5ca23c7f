import { and, asc, eq, inArray, ne, or, sql } from 'drizzle-orm';
import { asSqlite } from '../../sql/postgres/sql.ts';
import type { Db } from './database.ts';
import { lists, policies, policyVersionLists } from './tables.ts';

const { policyId, version, name } = policyVersionLists;

/** For a new version of a policy: the lists that it reads. */
export async function addVersionLists(
  tx: Db,
  policy: string,
  number: number,
  names: readonly string[],
): Promise<void> {
  if (names.length === 0) return;
  await tx
    .insert(policyVersionLists)
    .values(names.map((one) => ({ policyId: policy, version: number, name: one })));
}

export async function listsOfVersion(db: Db, policy: string, number: number): Promise<string[]> {
  const found = await db
    .select({ name })
    .from(policyVersionLists)
    .where(and(eq(policyId, policy), eq(version, number)))
    .orderBy(asc(name));
  return found.map((row) => row.name);
}

/** Whether any version reads the list. */
export async function isListRead(db: Db, list: string): Promise<boolean> {
  return (await db.select({ policyId }).from(policyVersionLists).where(eq(name, list)).limit(1)).length > 0;
}

/** Names of the policies, not DEPRECATED, whose current, latest or scheduled version reads the list. */
export async function policiesReading(db: Db, list: string): Promise<string[]> {
  const { id, createdAt } = policies;
  const found = await db
    .selectDistinct({ name: policies.name, id, createdAt })
    .from(policyVersionLists)
    .innerJoin(policies, eq(id, policyId))
    .where(
      and(
        eq(name, list),
        ne(policies.status, 'DEPRECATED'),
        or(
          eq(version, policies.currentVersion),
          eq(version, policies.latestVersion),
          eq(version, sql`${policies.scheduledVersion}`),
        ),
      ),
    )
    .orderBy(asc(createdAt), asc(id));
  return found.map((row) => row.name);
}

/** Those of the names that no list has. */
export async function missingLists(db: Db, names: readonly string[]): Promise<string[]> {
  if (names.length === 0) return [];
  const there = await asSqlite(db)
    .select({ name: lists.name })
    .from(lists)
    .where(inArray(lists.name, [...names]));
  const known = new Set(there.map((row) => row.name));
  return names.filter((one) => !known.has(one));
}
