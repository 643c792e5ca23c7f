import { and, eq, sql } from 'drizzle-orm';
import type { ChangeTerms, Refused, StoredPolicy, VersionInUse } from '../stored-policies.ts';
import type { Sqlite } from './database.ts';
import type { PolicyLists } from './policy-lists.ts';
import { bindings, housePolicies, integrations, operators, policies, policyVersions } from './tables.ts';

export const policyColumns = {
  id: policies.uid,
  name: policies.name,
  status: policies.status,
  version: policies.currentVersion,
  latestVersion: policies.latestVersion,
  previousVersion: policies.previousVersion,
  scheduledVersion: policies.scheduledVersion,
  scheduledAt: policies.scheduledAt,
  revision: policies.revision,
  createdAt: policies.createdAt,
  updatedAt: policies.updatedAt,
};
export const versionColumns = {
  version: policyVersions.version,
  name: policyVersions.name,
  mediaType: policyVersions.mediaType,
  author: policyVersions.author,
  authorName: operators.name,
  note: policyVersions.note,
  document: policyVersions.document,
  createdAt: policyVersions.createdAt,
};
type Changed = Partial<typeof policies.$inferInsert> & { updatedAt: number };

/** What changes of policies share. Synchronous: it runs inside a change or a read. */
export interface PolicyRows {
  find(id: string): StoredPolicy | null;
  rowOf(id: string): number | undefined;
  findVersion(policyRow: number, version: number): VersionRow | null;
  /** The policy and its row, when it may be changed. */
  findExpected(id: string, terms: ChangeTerms): { row: number; policy: StoredPolicy } | Refused;
  /** Throws unless the version is accepted with every binding of its policy. */
  accept(policyRow: number, version: VersionRow, terms: ChangeTerms): void;
  /** Raises the revision. */
  change(policyRow: number, values: Changed): void;
}

export interface VersionRow {
  version: number;
  name: string;
  mediaType: 'application/yaml' | 'application/json';
  author: string | null;
  authorName: string | null;
  note: string | null;
  document: string;
  createdAt: number;
}

export function createPolicyRows({ db }: Pick<Sqlite, 'db'>, policyLists: PolicyLists): PolicyRows {
  const find = (id: string): StoredPolicy | null =>
    db.select(policyColumns).from(policies).where(eq(policies.uid, id.toLowerCase())).get() ?? null;
  const rowOf = (id: string): number | undefined =>
    db.select({ id: policies.id }).from(policies).where(eq(policies.uid, id.toLowerCase())).get()?.id;

  function bindingsOf(policyRow: number): VersionInUse['bindings'] {
    const house = db
      .select({ params: housePolicies.params })
      .from(housePolicies)
      .where(eq(housePolicies.policyId, policyRow))
      .all()
      .map(({ params }) => ({ integrationId: null, params }));
    const own = db
      .select({ integrationId: integrations.id, params: bindings.params })
      .from(bindings)
      .innerJoin(integrations, eq(integrations.row, bindings.integrationId))
      .where(and(eq(bindings.policyId, policyRow), sql`${integrations.deletedAt} IS NULL`))
      .all();
    return [...house, ...own];
  }

  return {
    find,
    rowOf,
    findVersion: (policyRow, version) =>
      db
        .select(versionColumns)
        .from(policyVersions)
        .leftJoin(operators, eq(operators.id, policyVersions.author))
        .where(and(eq(policyVersions.policyId, policyRow), eq(policyVersions.version, version)))
        .get() ?? null,
    findExpected(id, { expected = null }) {
      const row = rowOf(id);
      const policy = find(id);
      if (row === undefined || !policy) return 'no_policy';
      return expected && !expected.has(policy.revision) ? 'outdated' : { row, policy };
    },
    accept(policyRow, { version, document }, { accepts }) {
      accepts?.({
        version,
        document,
        bindings: bindingsOf(policyRow),
        missingLists: policyLists.missing(policyLists.of(policyRow, version)),
      });
    },
    change: (policyRow, values) =>
      void db
        .update(policies)
        .set({ ...values, revision: sql`${policies.revision} + 1` })
        .where(eq(policies.id, policyRow))
        .run(),
  };
}
