import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import type { PolicyStore } from '../policies.ts';
import type { Sqlite } from './database.ts';
import { integrationColumns, keyInForce, toStoredIntegration } from './integrations.ts';
import { bindings, integrationKeys, integrations, policies, policyVersions } from './tables.ts';

export function createPoliciesInForce({
  steady,
  look,
}: Pick<Sqlite, 'steady' | 'look'>): Pick<PolicyStore, 'findInForce'> {
  const integrationById = steady
    .select({ ...integrationColumns, row: integrations.id, revision: integrations.revision })
    .from(integrations)
    .leftJoin(integrationKeys, keyInForce)
    .where(and(eq(integrations.uid, sql.placeholder('id')), isNull(integrations.deletedAt)))
    .prepare();
  const currentVersion = and(
    eq(policyVersions.policyId, policies.id),
    eq(policyVersions.version, policies.currentVersion),
  );
  const boundTo = steady
    .select({
      policyId: policies.uid,
      version: policies.currentVersion,
      document: policyVersions.document,
    })
    .from(bindings)
    .innerJoin(policies, and(eq(policies.id, bindings.policyId), eq(policies.status, 'ACTIVE')))
    .innerJoin(policyVersions, currentVersion)
    .where(eq(bindings.integrationId, sql.placeholder('row')))
    .orderBy(asc(policies.id))
    .prepare();

  return {
    findInForce: (integrationId) =>
      look(() => {
        const found = integrationById.get({ id: integrationId.toLowerCase() });
        if (!found) return null;
        const { row, revision, ...integration } = found;
        return {
          integration: toStoredIntegration(integration),
          revision,
          policies: boundTo.all({ row }),
        };
      }),
  };
}
