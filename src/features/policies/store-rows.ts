import { and, asc, eq, getTableColumns, isNull, ne, or, sql as text } from 'drizzle-orm';
import { all, type Db, first, run, type Sql, type Step } from '../../sql/steps.ts';
import type { ListReaders } from '../lists/store.ts';
import type { PolicyMediaType, PolicyStatus } from './words.ts';

export interface StoredPolicy {
  id: string;
  /** The name in the current version's document. */
  name: string;
  status: PolicyStatus;
  /** The version that decides while the policy is ACTIVE. */
  version: number;
  latestVersion: number;
  /** The one that a rollback without a version goes back to; null when none was current before. */
  previousVersion: number | null;
  /** The version that becomes the current one at `scheduledAt`; both null when none does. */
  scheduledVersion: number | null;
  scheduledAt: number | null;
  /** Raised by each change of the policy. */
  revision: number;
  createdAt: number;
  updatedAt: number;
}

export interface PolicyDocumentVersion {
  /** The name in this document. */
  name: string;
  mediaType: PolicyMediaType;
  /** As it was sent, to the byte. */
  document: string;
  /** The id of the operator who wrote it; null when that is not known. */
  author: string | null;
  /** Why it was written. */
  note: string | null;
  /** The names of the shared lists that it reads. */
  lists: readonly string[];
}

export interface StoredPolicyVersion extends Omit<PolicyDocumentVersion, 'lists'> {
  /** Null for an id that no operator has. */
  authorName: string | null;
  version: number;
  createdAt: number;
}

/** A version that is to decide, and all that it would decide with, as of one moment. */
export interface VersionInUse {
  version: number;
  document: string;
  /** Every binding of the policy; `integrationId` is null for that of a house policy. */
  bindings: readonly { integrationId: string | null; params: string }[];
  /** The names of lists it reads that do not exist. */
  missingLists: readonly string[];
}

/** Throws an `AppError` for a version that cannot decide, and with it refuses the change. Called inside the step. */
export type AcceptVersion = (version: VersionInUse) => void;

/** The conditions on a change of a policy. */
export interface ChangeTerms {
  /** The revisions that the policy may have; null is any. */
  expected?: ReadonlySet<number> | null;
  accepts?: AcceptVersion;
}

export type Refused = 'no_policy' | 'outdated';

/** Steps that changes of policies share. Ids are in lower case. */
export type PolicyRows = ReturnType<typeof createPolicyRows>;

export function createPolicyRows({ tables, isOperator }: Pick<Sql, 'tables' | 'isOperator'>) {
  const { bindings, housePolicies, integrations, lists, operators } = tables;
  const { policies, policyVersions, policyVersionLists } = tables;
  const { currentVersion: version, ...columns } = getTableColumns(policies);
  const { policyId: _, ...versionColumns } = getTableColumns(policyVersions);
  const policyColumns = { ...columns, version };
  const isVersion = (id: string, number: number) =>
    and(eq(policyVersionLists.policyId, id), eq(policyVersionLists.version, number));

  const find = (db: Db, id: string): Step<StoredPolicy | null> =>
    first(db.select(policyColumns).from(policies).where(eq(policies.id, id)));

  function* bindingsOf(db: Db, id: string): Step<VersionInUse['bindings']> {
    const { params } = housePolicies;
    const house = yield* all(db.select({ params }).from(housePolicies).where(eq(housePolicies.policyId, id)));
    const own = yield* all(
      db
        .select({ integrationId: bindings.integrationId, params: bindings.params })
        .from(bindings)
        .innerJoin(integrations, eq(integrations.id, bindings.integrationId))
        .where(and(eq(bindings.policyId, id), isNull(integrations.deletedAt))),
    );
    return [...house.map(({ params }) => ({ integrationId: null, params })), ...own];
  }

  /** The names of lists that a version reads and that do not exist. */
  function* missingLists(db: Db, id: string, number: number): Step<string[]> {
    const { name } = policyVersionLists;
    const missing = yield* all(
      db
        .select({ name })
        .from(policyVersionLists)
        .leftJoin(lists, eq(lists.name, name))
        .where(and(isVersion(id, number), isNull(lists.id)))
        .orderBy(asc(name)),
    );
    return missing.map((list) => list.name);
  }

  const listReaders: ListReaders = {
    *isRead(db, list) {
      const { name } = policyVersionLists;
      const read = db.select({ name }).from(policyVersionLists).where(eq(name, list)).limit(1);
      return (yield* first(read)) !== null;
    },

    *usersOf(db, list) {
      const { id, name, createdAt } = policies;
      const { version } = policyVersionLists;
      const users = yield* all(
        db
          .selectDistinct({ name, id, createdAt })
          .from(policyVersionLists)
          .innerJoin(policies, eq(id, policyVersionLists.policyId))
          .where(
            and(
              eq(policyVersionLists.name, list),
              ne(policies.status, 'DEPRECATED'),
              or(
                eq(version, policies.currentVersion),
                eq(version, policies.latestVersion),
                eq(version, text`${policies.scheduledVersion}`),
              ),
            ),
          )
          .orderBy(asc(createdAt), asc(id)),
      );
      return users.map((policy) => policy.name);
    },
  };

  return {
    policyColumns,
    /** With the author joined. */
    versionColumns: { ...versionColumns, authorName: operators.name },
    listReaders,
    find,

    findVersion: (db: Db, id: string, number: number): Step<StoredPolicyVersion | null> =>
      first(
        db
          .select({ ...versionColumns, authorName: operators.name })
          .from(policyVersions)
          .leftJoin(operators, isOperator(policyVersions.author))
          .where(and(eq(policyVersions.policyId, id), eq(policyVersions.version, number))),
      ),

    *insertVersion(
      db: Db,
      id: string,
      { lists: names, ...version }: PolicyDocumentVersion & { version: number; createdAt: number },
    ): Step<void> {
      yield* run(db.insert(policyVersions).values({ ...version, policyId: id }));
      const read = names.map((name) => ({ policyId: id, version: version.version, name }));
      if (read.length > 0) yield* run(db.insert(policyVersionLists).values(read));
    },

    /** The policy, when it may be changed. */
    *findExpected(db: Db, id: string, { expected = null }: ChangeTerms): Step<StoredPolicy | Refused> {
      const policy = yield* find(db, id);
      if (!policy) return 'no_policy';
      return expected && !expected.has(policy.revision) ? 'outdated' : policy;
    },

    /** Throws unless the version is accepted with every binding of its policy. */
    *accept(
      db: Db,
      id: string,
      { version, document }: Pick<VersionInUse, 'version' | 'document'>,
      { accepts }: ChangeTerms,
    ): Step<void> {
      accepts?.({
        version,
        document,
        bindings: yield* bindingsOf(db, id),
        missingLists: yield* missingLists(db, id, version),
      });
    },

    /** Raises the revision of the policy, and returns it as it then is. */
    *change(
      db: Db,
      id: string,
      values: Partial<typeof policies.$inferInsert> & { updatedAt: number },
    ): Step<StoredPolicy> {
      const revision = text`${policies.revision} + 1`;
      yield* run(
        db
          .update(policies)
          .set({ ...values, revision })
          .where(eq(policies.id, id)),
      );
      return (yield* find(db, id)) as StoredPolicy;
    },

    /** The policy with its versions and bindings. */
    *remove(db: Db, id: string): Step<void> {
      for (const table of [bindings, housePolicies, policyVersionLists, policyVersions])
        yield* run(db.delete(table).where(eq(table.policyId, id)));
      yield* run(db.delete(policies).where(eq(policies.id, id)));
    },
  };
}
