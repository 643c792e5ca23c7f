import { and, eq, getTableColumns, isNull, sql } from 'drizzle-orm';
import { isOperator } from '../../sql/postgres/sql.ts';
import type { StoredPolicyVersion } from '../policies.ts';
import type { ChangeTerms, Refused, StoredPolicy, VersionInUse } from '../stored-policies.ts';
import type { Db } from './database.ts';
import { listsOfVersion, missingLists } from './policy-lists.ts';
import { bindings, housePolicies, integrations, operators, policies, policyVersions } from './tables.ts';

const { currentVersion, ...columns } = getTableColumns(policies);
export const policyColumns = { ...columns, version: currentVersion };
const { policyId: _, ...version } = getTableColumns(policyVersions);
/** With the author joined. */
export const versionColumns = { ...version, authorName: operators.name };

export async function findPolicy(db: Db, id: string): Promise<StoredPolicy | null> {
  const [found] = await db.select(policyColumns).from(policies).where(eq(policies.id, id));
  return found ?? null;
}

export async function findVersion(db: Db, id: string, number: number): Promise<StoredPolicyVersion | null> {
  const [found] = await db
    .select(versionColumns)
    .from(policyVersions)
    .leftJoin(operators, isOperator(operators, policyVersions.author))
    .where(and(eq(policyVersions.policyId, id), eq(policyVersions.version, number)));
  return found ?? null;
}

/** The policy, when it may be changed. */
export async function findExpected(
  tx: Db,
  id: string,
  { expected = null }: ChangeTerms,
): Promise<StoredPolicy | Refused> {
  const policy = await findPolicy(tx, id);
  if (!policy) return 'no_policy';
  return expected && !expected.has(policy.revision) ? 'outdated' : policy;
}

/** Throws unless the version is accepted with every binding of its policy. */
export async function acceptVersion(
  tx: Db,
  policyId: string,
  { version, document }: Pick<VersionInUse, 'version' | 'document'>,
  { accepts }: ChangeTerms,
): Promise<void> {
  if (!accepts) return;
  accepts({
    version,
    document,
    bindings: await bindingsOf(tx, policyId),
    missingLists: await missingLists(tx, await listsOfVersion(tx, policyId, version)),
  });
}

async function bindingsOf(tx: Db, policyId: string): Promise<VersionInUse['bindings']> {
  const house = await tx
    .select({ params: housePolicies.params })
    .from(housePolicies)
    .where(eq(housePolicies.policyId, policyId));
  const own = await tx
    .select({ integrationId: bindings.integrationId, params: bindings.params })
    .from(bindings)
    .innerJoin(integrations, eq(integrations.id, bindings.integrationId))
    .where(and(eq(bindings.policyId, policyId), isNull(integrations.deletedAt)));
  return [...house.map(({ params }) => ({ integrationId: null, params })), ...own];
}

/** Raises the revision of the policy, and returns it as it then is. */
export async function changePolicy(
  tx: Db,
  id: string,
  values: Partial<typeof policies.$inferInsert> & { updatedAt: number },
): Promise<StoredPolicy> {
  await tx
    .update(policies)
    .set({ ...values, revision: sql`${policies.revision} + 1` })
    .where(eq(policies.id, id));
  return (await findPolicy(tx, id)) as StoredPolicy;
}
