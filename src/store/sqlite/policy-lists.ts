import { and, asc, eq, inArray, ne, or, sql } from 'drizzle-orm';
import type { Sqlite } from './database.ts';
import { lists, policies, policyVersionLists } from './tables.ts';

/** Which lists the versions of policies read. Synchronous: it runs inside a change or a read. */
export interface PolicyLists {
  /** For a new version. */
  add(policyRow: number, version: number, names: readonly string[]): void;
  remove(policyRow: number): void;
  of(policyRow: number, version: number): string[];
  /** Whether any version reads the list. */
  isRead(name: string): boolean;
  /** Names of the policies, not DEPRECATED, whose current, latest or scheduled version reads it. */
  usersOf(name: string): string[];
  /** Those of the names that no list has. */
  missing(names: readonly string[]): string[];
}

export function createPolicyLists({ db }: Pick<Sqlite, 'db'>): PolicyLists {
  const { policyId, version, name } = policyVersionLists;
  return {
    add(row, number, names) {
      for (const one of names)
        db.insert(policyVersionLists).values({ policyId: row, version: number, name: one }).run();
    },
    remove: (row) => void db.delete(policyVersionLists).where(eq(policyId, row)).run(),
    of: (row, number) =>
      db
        .select({ name })
        .from(policyVersionLists)
        .where(and(eq(policyId, row), eq(version, number)))
        .orderBy(asc(name))
        .all()
        .map((found) => found.name),
    isRead: (one) =>
      db.select({ policyId }).from(policyVersionLists).where(eq(name, one)).limit(1).get() !== undefined,
    usersOf: (one) =>
      db
        .selectDistinct({ name: policies.name, id: policies.id })
        .from(policyVersionLists)
        .innerJoin(policies, eq(policies.id, policyId))
        .where(
          and(
            eq(name, one),
            ne(policies.status, 'DEPRECATED'),
            or(
              eq(version, policies.currentVersion),
              eq(version, policies.latestVersion),
              eq(version, sql`${policies.scheduledVersion}`),
            ),
          ),
        )
        .orderBy(asc(policies.id))
        .all()
        .map((found) => found.name),
    missing(names) {
      if (names.length === 0) return [];
      const there = db
        .select({ name: lists.name })
        .from(lists)
        .where(inArray(lists.name, [...names]))
        .all();
      const known = new Set(there.map((found) => found.name));
      return names.filter((one) => !known.has(one));
    },
  };
}
