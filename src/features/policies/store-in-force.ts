import { and, asc, eq, inArray, isNull, min, or } from 'drizzle-orm';
import type { PolicyMode } from '../../schemas/decisions.ts';
import { all, type Db, first, type Sql, type Step } from '../../sql/steps.ts';
import { parseList } from '../../store/rows.ts';
import { integrationWithKey, type StoredIntegration, toStoredIntegration } from '../integrations/store.ts';

export interface BoundPolicy {
  policyId: string;
  version: number;
  document: string;
  /** JSON text: values of params that the binding gives. */
  params: string;
  /** The mode of the binding; null leaves it to the document. */
  mode: PolicyMode | null;
  /** The names of the shared lists that it reads. */
  lists: readonly string[];
}

/** All that decides for an integration, as of one moment. */
export interface PoliciesInForce {
  integration: StoredIntegration;
  /** Raised by every change of the integration, its key, its bindings, and the policies that are bound to it. */
  revision: number;
  /**
   * The current versions of the ACTIVE policies bound to the integration and of the ACTIVE house policies, in order of the
   * policies' creation. One that is both, under different terms, is there twice, the house's first.
   */
  policies: readonly BoundPolicy[];
  /** The tool catalogue of the integration, JSON text; null without one. */
  tools: string | null;
  /** The lists that the policies read, by name. */
  lists: ReadonlyMap<string, { id: string; version: number; entries: readonly string[] }>;
  /** When the next scheduled version of one of the policies bound to it is due; null when none is. */
  nextDueAt: number | null;
}

/** Read as of one moment, with the revision: what decides, and by which revision, belong together. */
export function createPoliciesInForce(sql: Sql): {
  findInForce(integrationId: string): Promise<PoliciesInForce | null>;
} {
  const { bindings, housePolicies, integrations, lists, policies } = sql.tables;
  const { policyVersions, policyVersionLists, toolCatalogues } = sql.tables;
  const { columns: integrationColumns, newestKey } = integrationWithKey(sql.tables);
  const { integrationKeys } = sql.tables;
  const columns = {
    policyId: policies.id,
    createdAt: policies.createdAt,
    version: policies.currentVersion,
    document: policyVersions.document,
  };
  const isActive = eq(policies.status, 'ACTIVE');
  const currentVersion = and(
    eq(policyVersions.policyId, policies.id),
    eq(policyVersions.version, policies.currentVersion),
  );

  /** In the order of their creation, a policy of the house before the same one under other terms. */
  function* policiesOf(db: Db, integrationId: string): Step<BoundPolicy[]> {
    const house = yield* all(
      db
        .select({ ...columns, params: housePolicies.params, mode: housePolicies.mode })
        .from(housePolicies)
        .innerJoin(policies, and(eq(policies.id, housePolicies.policyId), isActive))
        .innerJoin(policyVersions, currentVersion),
    );
    const own = yield* all(
      db
        .select({ ...columns, params: bindings.params, mode: bindings.mode })
        .from(bindings)
        .innerJoin(policies, and(eq(policies.id, bindings.policyId), isActive))
        .innerJoin(policyVersions, currentVersion)
        .where(eq(bindings.integrationId, integrationId)),
    );
    type Bound = (typeof own)[number];
    const isSame = (a: Bound, b: Bound) =>
      a.policyId === b.policyId && a.params === b.params && a.mode === b.mode;
    const bound = [...house, ...own.filter((one) => !house.some((other) => isSame(one, other)))];
    bound.sort(
      (a, b) => a.createdAt - b.createdAt || (a.policyId < b.policyId ? -1 : Number(a.policyId > b.policyId)),
    );
    const read: BoundPolicy[] = [];
    for (const { createdAt: _, ...policy } of bound)
      read.push({ ...policy, lists: yield* listNames(db, policy.policyId, policy.version) });
    return read;
  }

  function* listNames(db: Db, policyId: string, version: number): Step<string[]> {
    const { name } = policyVersionLists;
    const isVersion = and(eq(policyVersionLists.policyId, policyId), eq(policyVersionLists.version, version));
    const read = yield* all(db.select({ name }).from(policyVersionLists).where(isVersion).orderBy(asc(name)));
    return read.map((list) => list.name);
  }

  function* listsOf(db: Db, bound: readonly BoundPolicy[]): Step<PoliciesInForce['lists']> {
    const names = [...new Set(bound.flatMap((policy) => policy.lists))];
    const read =
      names.length === 0 ? [] : yield* all(db.select().from(lists).where(inArray(lists.name, names)));
    return new Map(
      read.map(({ name, id, version, entries }) => [name, { id, version, entries: parseList(entries) }]),
    );
  }

  function* nextDue(db: Db, integrationId: string): Step<number | null> {
    const own = db
      .select({ id: bindings.policyId })
      .from(bindings)
      .where(eq(bindings.integrationId, integrationId));
    const house = db.select({ id: housePolicies.policyId }).from(housePolicies);
    const isBound = or(inArray(policies.id, own), inArray(policies.id, house));
    const due = db
      .select({ at: min(policies.scheduledAt) })
      .from(policies)
      .where(isBound);
    return (yield* first(due))?.at ?? null;
  }

  return {
    findInForce: (integrationId) =>
      sql.look(function* (db) {
        const found = yield* first(
          db
            .select({ ...integrationColumns, revision: integrations.revision, tools: toolCatalogues.tools })
            .from(integrations)
            .leftJoin(integrationKeys, newestKey)
            .leftJoin(toolCatalogues, eq(toolCatalogues.integrationId, integrations.id))
            .where(and(eq(integrations.id, integrationId.toLowerCase()), isNull(integrations.deletedAt))),
        );
        if (!found) return null;
        const { revision, tools, ...integration } = found;
        const bound = yield* policiesOf(db, integration.id);
        return {
          integration: toStoredIntegration(integration),
          revision,
          policies: bound,
          tools,
          lists: yield* listsOf(db, bound),
          nextDueAt: yield* nextDue(db, integration.id),
        };
      }),
  };
}
