import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm';
import { integrationWithKey, toStoredIntegration } from '../../features/integrations/store.ts';
import { parseList } from '../parse-list.ts';
import type { BoundPolicy, PoliciesInForce, PolicyStore } from '../policies.ts';
import type { Sqlite } from './database.ts';
import {
  bindings,
  housePolicies,
  integrationKeys,
  integrations,
  lists,
  policies,
  policyVersionLists,
  policyVersions,
  toolCatalogues,
} from './tables.ts';

export function createPoliciesInForce({
  db,
  steady,
  look,
}: Pick<Sqlite, 'db' | 'steady' | 'look'>): Pick<PolicyStore, 'findInForce'> {
  const { columns: integrationColumns, newestKey } = integrationWithKey({ integrations, integrationKeys });
  const integrationById = steady
    .select({
      ...integrationColumns,
      row: integrations.row,
      revision: integrations.revision,
      tools: toolCatalogues.tools,
    })
    .from(integrations)
    .leftJoin(integrationKeys, newestKey)
    .leftJoin(toolCatalogues, eq(toolCatalogues.integrationId, integrations.id))
    .where(and(eq(integrations.id, sql.placeholder('id')), isNull(integrations.deletedAt)))
    .prepare();
  const currentVersion = and(
    eq(policyVersions.policyId, policies.id),
    eq(policyVersions.version, policies.currentVersion),
  );
  const columns = {
    row: policies.id,
    policyId: policies.uid,
    version: policies.currentVersion,
    document: policyVersions.document,
  };
  const isActive = eq(policies.status, 'ACTIVE');
  const boundTo = steady
    .select({ ...columns, params: bindings.params, mode: bindings.mode })
    .from(bindings)
    .innerJoin(policies, and(eq(policies.id, bindings.policyId), isActive))
    .innerJoin(policyVersions, currentVersion)
    .where(eq(bindings.integrationId, sql.placeholder('row')))
    .orderBy(asc(policies.id))
    .prepare();
  const ofTheHouse = steady
    .select({ ...columns, params: housePolicies.params, mode: housePolicies.mode })
    .from(housePolicies)
    .innerJoin(policies, and(eq(policies.id, housePolicies.policyId), isActive))
    .innerJoin(policyVersions, currentVersion)
    .orderBy(asc(policies.id))
    .prepare();
  const listNames = steady
    .select({ name: policyVersionLists.name })
    .from(policyVersionLists)
    .where(
      and(
        eq(policyVersionLists.policyId, sql.placeholder('row')),
        eq(policyVersionLists.version, sql.placeholder('version')),
      ),
    )
    .orderBy(asc(policyVersionLists.name))
    .prepare();
  const nextDue = steady
    .select({ at: sql<number | null>`min(${policies.scheduledAt})` })
    .from(policies)
    .where(
      sql`${policies.id} IN (SELECT policy_id FROM ${bindings} WHERE integration_id = ${sql.placeholder('row')})
        OR ${policies.id} IN (SELECT policy_id FROM ${housePolicies})`,
    )
    .prepare();

  function policiesOf(row: number): BoundPolicy[] {
    const house = ofTheHouse.all();
    const own = boundTo.all({ row });
    const same = (a: (typeof own)[number], b: (typeof own)[number]): boolean =>
      a.row === b.row && a.params === b.params && a.mode === b.mode;
    return [...house, ...own.filter((one) => !house.some((other) => same(one, other)))]
      .sort((a, b) => a.row - b.row)
      .map(({ row, ...policy }) => ({
        ...policy,
        lists: listNames.all({ row, version: policy.version }).map(({ name }) => name),
      }));
  }

  function listsOf(bound: readonly BoundPolicy[]): PoliciesInForce['lists'] {
    const names = [...new Set(bound.flatMap((policy) => policy.lists))];
    const rows = names.length === 0 ? [] : db.select().from(lists).where(inArray(lists.name, names)).all();
    return new Map(
      rows.map(({ name, id, version, entries }) => [name, { id, version, entries: parseList(entries) }]),
    );
  }

  return {
    findInForce: (integrationId) =>
      look(() => {
        const found = integrationById.get({ id: integrationId.toLowerCase() });
        if (!found) return null;
        const { row, revision, tools, ...integration } = found;
        const bound = policiesOf(row);
        return {
          integration: toStoredIntegration(integration),
          revision,
          policies: bound,
          tools,
          lists: listsOf(bound),
          nextDueAt: nextDue.get({ row })?.at ?? null,
        };
      }),
  };
}
