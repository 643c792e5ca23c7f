import { and, asc, eq, inArray, isNull, min, or, sql } from 'drizzle-orm';
import { integrationWithKey, toStoredIntegration } from '../../features/integrations/store.ts';
import { asSqlite, sharedTables } from '../../sql/postgres/sql.ts';
import { parseList } from '../parse-list.ts';
import type { BoundPolicy, PoliciesInForce, PolicyStore } from '../policies.ts';
import type { Db, Postgres } from './database.ts';
import { bindings, housePolicies, lists, policies, policyVersions } from './tables.ts';

/** Read as of one moment, with the revision: what decides, and by which revision, belong together. */
const { integrations, integrationKeys, toolCatalogues } = sharedTables;
const { columns, newestKey } = integrationWithKey(sharedTables);

export const createPoliciesInForce = ({ read }: Postgres): Pick<PolicyStore, 'findInForce'> => ({
  findInForce: (integrationId) =>
    read(async (db) => {
      const [found] = await asSqlite(db)
        .select({ ...columns, revision: integrations.revision, tools: toolCatalogues.tools })
        .from(integrations)
        .leftJoin(integrationKeys, newestKey)
        .leftJoin(toolCatalogues, eq(toolCatalogues.integrationId, integrations.id))
        .where(and(eq(integrations.id, integrationId), isNull(integrations.deletedAt)));
      if (!found) return null;
      const { revision, tools, ...integration } = found;
      const bound = await policiesOf(db, integration.id);
      return {
        integration: toStoredIntegration(integration),
        revision,
        policies: bound,
        tools,
        lists: await listsOf(db, bound),
        nextDueAt: await nextDue(db, integration.id),
      };
    }),
});

/** In the order of their creation, a policy of the house before the same one under other terms. */
async function policiesOf(db: Db, integrationId: string): Promise<BoundPolicy[]> {
  const { policyId, params, mode } = bindings;
  const terms = db
    .select({ policyId, params, mode, isHouse: sql<boolean>`false`.as('is_house') })
    .from(bindings)
    .where(eq(bindings.integrationId, integrationId))
    .unionAll(
      db
        .select({
          policyId: housePolicies.policyId,
          params: housePolicies.params,
          mode: housePolicies.mode,
          isHouse: sql<boolean>`true`.as('is_house'),
        })
        .from(housePolicies),
    )
    .as('terms');
  const rows = await db
    .select({
      policyId: policies.id,
      version: policies.currentVersion,
      document: policyVersions.document,
      params: terms.params,
      mode: terms.mode,
      lists: sql<string[]>`ARRAY(SELECT name FROM policy_version_lists AS read
        WHERE read.policy_id = ${policies.id} AND read.version = ${policies.currentVersion} ORDER BY name)`,
    })
    .from(terms)
    .innerJoin(policies, and(eq(policies.id, terms.policyId), eq(policies.status, 'ACTIVE')))
    .innerJoin(
      policyVersions,
      and(eq(policyVersions.policyId, policies.id), eq(policyVersions.version, policies.currentVersion)),
    )
    .orderBy(asc(policies.createdAt), asc(policies.id), sql`${terms.isHouse} DESC`);
  return rows.filter((row, place) => !isSame(row, rows[place - 1]));
}

const isSame = (row: BoundPolicy, before: BoundPolicy | undefined): boolean =>
  row.policyId === before?.policyId && row.params === before.params && row.mode === before.mode;

async function listsOf(db: Db, bound: readonly BoundPolicy[]): Promise<PoliciesInForce['lists']> {
  const names = [...new Set(bound.flatMap((policy) => policy.lists))];
  const rows =
    names.length === 0 ? [] : await asSqlite(db).select().from(lists).where(inArray(lists.name, names));
  return new Map(
    rows.map(({ name, id, version, entries }) => [name, { id, version, entries: parseList(entries) }]),
  );
}

async function nextDue(db: Db, integrationId: string): Promise<number | null> {
  const own = db
    .select({ id: bindings.policyId })
    .from(bindings)
    .where(eq(bindings.integrationId, integrationId));
  const house = db.select({ id: housePolicies.policyId }).from(housePolicies);
  const [due] = await db
    .select({ at: min(policies.scheduledAt) })
    .from(policies)
    .where(or(inArray(policies.id, own), inArray(policies.id, house)));
  return due?.at ?? null;
}
