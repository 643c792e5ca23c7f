import { and, asc, count, desc, eq, inArray, isNull, like, or, sql as text } from 'drizzle-orm';
import type { PolicyMode } from '../../schemas/decisions.ts';
import { all, type Db, first, run, type Sql, type Step, totalOf } from '../../sql/steps.ts';
import { offsetOf, type Page, type PageRequest } from '../../store/pages.ts';
import { isAsExpected } from '../../store/rows.ts';
import type { Enforcement } from './store-enforcement.ts';
import type { AcceptVersion, PolicyRows, StoredPolicy, VersionInUse } from './store-rows.ts';

/** How a policy is bound. */
export interface BindingTerms {
  /** JSON text: values for params of the policy, instead of those of its document. Equal ones must have equal texts. */
  params: string;
  /** Instead of the document's; null leaves it to the document. */
  mode: PolicyMode | null;
}

export interface StoredBinding extends BindingTerms {
  integrationId: string;
  policyId: string;
  createdAt: number;
  updatedAt: number;
}

/** A policy that decides for every integration, those to come included. */
export interface StoredHousePolicy extends BindingTerms {
  policyId: string;
  createdAt: number;
  updatedAt: number;
}

export interface ListedHousePolicy extends StoredHousePolicy {
  policy: StoredPolicy;
}

/** On which terms a binding is changed or removed. */
export interface BindingConditions {
  /** Called inside the step, with the current version and, when there is one, the scheduled one. */
  accepts?: AcceptVersion;
  /** The terms that the binding must have; null expects that there is none. */
  expected?: BindingTerms | null;
}

/** Where a policy applies, and who changed it last. */
export interface PolicyUse {
  /** The id of the operator who wrote the latest version, and the name, null for an id that no operator has. */
  author: string | null;
  authorName: string | null;
  /** False when the document of the current version cannot say MONITOR. */
  mayMonitor: boolean;
  /** As a house policy; null when it is none. */
  house: Pick<BindingTerms, 'mode'> | null;
  /** The integrations, not deleted, that it is bound to, by the mode of the binding. */
  bound: readonly { mode: PolicyMode | null; total: number }[];
}

/** 'outdated': the binding is not as expected. */
export interface BindingStore {
  /**
   * Binds a policy, or changes the terms of its binding; null terms are the defaults, and leave a binding as it is. Null when
   * the integration or the policy is missing.
   */
  bind(
    integrationId: string,
    policyId: string,
    terms: BindingTerms | null,
    now: number,
    conditions?: BindingConditions,
  ): Promise<StoredBinding | 'outdated' | null>;
  /** Null when there is no such binding. */
  unbind(
    integrationId: string,
    policyId: string,
    conditions?: Pick<BindingConditions, 'expected'>,
  ): Promise<StoredBinding | 'outdated' | null>;
  /** Null when there is no such binding. */
  findBinding(integrationId: string, policyId: string): Promise<StoredBinding | null>;
  /** All policies bound to the integration, whatever their status, newest binding first; null when it is missing. */
  listBound(
    integrationId: string,
    page: PageRequest,
  ): Promise<Page<StoredPolicy & { binding: StoredBinding }> | null>;
  /** By the id of the policy, in lower case. */
  usesOf(ids: readonly string[]): Promise<ReadonlyMap<string, PolicyUse>>;
  /** The integrations, not deleted, that a policy decides for while it is ACTIVE: all of them for a house policy. */
  listIntegrationsOf(policyId: string): Promise<string[]>;

  /** The same for all integrations. Null when there is no such policy. */
  bindHouse(
    policyId: string,
    terms: BindingTerms | null,
    now: number,
    conditions?: BindingConditions,
  ): Promise<StoredHousePolicy | 'outdated' | null>;
  /** Null when it is none. */
  unbindHouse(
    policyId: string,
    conditions?: Pick<BindingConditions, 'expected'>,
  ): Promise<StoredHousePolicy | 'outdated' | null>;
  /** Newest first. */
  listHouse(page: PageRequest): Promise<Page<ListedHousePolicy>>;
  /** Null when it is none. */
  findHouse(policyId: string): Promise<StoredHousePolicy | null>;
}

const noTerms: BindingTerms = { params: '{}', mode: null };

/** A binding is as it was created until it is changed. */
const asUpdated = <T extends { createdAt: number; updatedAt: number | null }>(row: T) => ({
  ...row,
  updatedAt: row.updatedAt ?? row.createdAt,
});

export function createBindingStore(sql: Sql, rows: PolicyRows, enforcement: Enforcement): BindingStore {
  const { bindings, housePolicies, integrations, operators, policies, policyVersions } = sql.tables;
  const { policyColumns } = rows;

  /** Whether there is such an integration that is not deleted. */
  function* isThere(db: Db, integrationId: string): Step<boolean> {
    const isIt = and(eq(integrations.id, integrationId), isNull(integrations.deletedAt));
    return (yield* totalOf(db, integrations, isIt)) > 0;
  }

  const isBinding = (integrationId: string, policyId: string) =>
    and(eq(bindings.integrationId, integrationId), eq(bindings.policyId, policyId));

  function* findBinding(db: Db, integrationId: string, policyId: string): Step<StoredBinding | null> {
    if (!(yield* isThere(db, integrationId))) return null;
    const row = yield* first(db.select().from(bindings).where(isBinding(integrationId, policyId)));
    return row && asUpdated(row);
  }

  function* findHouse(db: Db, policyId: string): Step<StoredHousePolicy | null> {
    const row = yield* first(db.select().from(housePolicies).where(eq(housePolicies.policyId, policyId)));
    return row && asUpdated(row);
  }

  /** Every version that decides, or will, must take these values of params. */
  function* acceptTerms(
    db: Db,
    policy: StoredPolicy,
    binding: VersionInUse['bindings'][number],
    accepts: AcceptVersion | undefined,
  ): Step<void> {
    if (!accepts) return;
    const only = (version: VersionInUse) => accepts({ ...version, bindings: [binding] });
    for (const number of new Set([policy.version, policy.scheduledVersion])) {
      const version = number === null ? null : yield* rows.findVersion(db, policy.id, number);
      if (version) yield* rows.accept(db, policy.id, version, { accepts: only });
    }
  }

  return {
    bind(anyIntegrationId, anyPolicyId, terms, now, { accepts, expected } = {}) {
      const [integrationId, policyId] = [anyIntegrationId.toLowerCase(), anyPolicyId.toLowerCase()];
      return enforcement.change({ integrationId }, function* (db) {
        const policy = yield* rows.find(db, policyId);
        if (!policy || !(yield* isThere(db, integrationId))) return null;
        const before = yield* findBinding(db, integrationId, policyId);
        if (!isAsExpected(before, expected)) return 'outdated';
        if (before && terms === null) return before;
        const { params, mode } = terms ?? noTerms;
        yield* acceptTerms(db, policy, { integrationId, params }, accepts);
        yield* run(
          db
            .insert(bindings)
            .values({ integrationId, policyId, createdAt: now, params, mode })
            .onConflictDoUpdate({
              target: [bindings.integrationId, bindings.policyId],
              set: { params, mode, updatedAt: now },
            }),
        );
        yield* sql.raiseRevision(db, integrationId);
        return yield* findBinding(db, integrationId, policyId);
      });
    },

    unbind(anyIntegrationId, anyPolicyId, { expected } = {}) {
      const [integrationId, policyId] = [anyIntegrationId.toLowerCase(), anyPolicyId.toLowerCase()];
      return enforcement.change({ integrationId }, function* (db) {
        const before = yield* findBinding(db, integrationId, policyId);
        if (!before) return null;
        if (!isAsExpected(before, expected)) return 'outdated';
        yield* run(db.delete(bindings).where(isBinding(integrationId, policyId)));
        yield* sql.raiseRevision(db, integrationId);
        return before;
      });
    },

    findBinding: (integrationId, policyId) =>
      sql.read((db) => findBinding(db, integrationId.toLowerCase(), policyId.toLowerCase())),

    listBound: (integrationId, page) =>
      sql.read(function* (db) {
        const id = integrationId.toLowerCase();
        if (!(yield* isThere(db, id))) return null;
        const where = eq(bindings.integrationId, id);
        const bound = yield* all(
          db
            .select({ policy: policyColumns, binding: bindings })
            .from(bindings)
            .innerJoin(policies, eq(policies.id, bindings.policyId))
            .where(where)
            .orderBy(desc(bindings.createdAt), desc(policies.createdAt), desc(policies.id))
            .limit(page.size)
            .offset(offsetOf(page)),
        );
        return {
          items: bound.map(({ policy, binding }) => ({ ...policy, binding: asUpdated(binding) })),
          total: yield* totalOf(db, bindings, where),
        };
      }),

    usesOf: (ids) =>
      sql.read(function* (db) {
        if (ids.length === 0) return new Map();
        const { id, currentVersion, latestVersion } = policies;
        const { author, document, policyId, version } = policyVersions;
        const isOfThem = inArray(id, [...ids]);
        const authors = yield* all(
          db
            .select({ id, author, authorName: operators.name })
            .from(policies)
            .innerJoin(policyVersions, and(eq(policyId, id), eq(version, latestVersion)))
            .leftJoin(operators, sql.isOperator(author))
            .where(isOfThem),
        );
        // The word, or an escape that could write it.
        const saysMonitor = or(
          like(document, '%MONITOR%'),
          text`replace(${document}, ${'\\'}, '') <> ${document}`,
        );
        const monitored = yield* all(
          db
            .select({ id })
            .from(policies)
            .innerJoin(policyVersions, and(eq(policyId, id), eq(version, currentVersion)))
            .where(and(isOfThem, saysMonitor)),
        );
        const house = yield* all(
          db
            .select({ id: housePolicies.policyId, mode: housePolicies.mode })
            .from(housePolicies)
            .where(inArray(housePolicies.policyId, [...ids])),
        );
        const bound = yield* all(
          db
            .select({ id: bindings.policyId, mode: bindings.mode, total: count() })
            .from(bindings)
            .innerJoin(integrations, eq(integrations.id, bindings.integrationId))
            .where(and(inArray(bindings.policyId, [...ids]), isNull(integrations.deletedAt)))
            .groupBy(bindings.policyId, bindings.mode),
        );
        return new Map(
          authors.map(({ id: one, ...wrote }): [string, PolicyUse] => [
            one,
            {
              ...wrote,
              mayMonitor: monitored.some((other) => other.id === one),
              house: house.find((other) => other.id === one) ?? null,
              bound: bound.filter((other) => other.id === one),
            },
          ]),
        );
      }),

    listIntegrationsOf: (anyPolicyId) =>
      sql.read(function* (db) {
        const policyId = anyPolicyId.toLowerCase();
        const present = isNull(integrations.deletedAt);
        const order = [asc(integrations.createdAt), asc(integrations.id)];
        const ids = db.select({ id: integrations.id }).from(integrations);
        const isBound = and(eq(bindings.integrationId, integrations.id), eq(bindings.policyId, policyId));
        const found = (yield* findHouse(db, policyId))
          ? yield* all(ids.where(present).orderBy(...order))
          : yield* all(
              ids
                .innerJoin(bindings, isBound)
                .where(present)
                .orderBy(...order),
            );
        return found.map(({ id }) => id);
      }),

    bindHouse(anyPolicyId, terms, now, { accepts, expected } = {}) {
      const policyId = anyPolicyId.toLowerCase();
      return enforcement.change({ policyId }, function* (db) {
        const policy = yield* rows.find(db, policyId);
        if (!policy) return null;
        const before = yield* findHouse(db, policyId);
        if (!isAsExpected(before, expected)) return 'outdated';
        if (before && terms === null) return before;
        const { params, mode } = terms ?? noTerms;
        yield* acceptTerms(db, policy, { integrationId: null, params }, accepts);
        yield* run(
          db
            .insert(housePolicies)
            .values({ policyId, createdAt: now, params, mode })
            .onConflictDoUpdate({ target: housePolicies.policyId, set: { params, mode, updatedAt: now } }),
        );
        yield* sql.raiseRevisions(db);
        return yield* findHouse(db, policyId);
      });
    },

    unbindHouse(anyPolicyId, { expected } = {}) {
      const policyId = anyPolicyId.toLowerCase();
      return enforcement.change({ policyId }, function* (db) {
        const before = yield* findHouse(db, policyId);
        if (!before) return null;
        if (!isAsExpected(before, expected)) return 'outdated';
        yield* run(db.delete(housePolicies).where(eq(housePolicies.policyId, policyId)));
        yield* sql.raiseRevisions(db);
        return before;
      });
    },

    listHouse: (page) =>
      sql.read(function* (db) {
        const found = yield* all(
          db
            .select({ policy: policyColumns, house: housePolicies })
            .from(housePolicies)
            .innerJoin(policies, eq(policies.id, housePolicies.policyId))
            .orderBy(desc(housePolicies.createdAt), desc(policies.createdAt), desc(policies.id))
            .limit(page.size)
            .offset(offsetOf(page)),
        );
        return {
          items: found.map(({ policy, house }) => ({ ...asUpdated(house), policy })),
          total: yield* totalOf(db, housePolicies),
        };
      }),

    findHouse: (policyId) => sql.read((db) => findHouse(db, policyId.toLowerCase())),
  };
}
