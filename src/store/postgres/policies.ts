import { desc, eq } from 'drizzle-orm';
import { isOperator } from '../../sql/postgres/sql.ts';
import { narrow } from '../../sql/wide-texts.ts';
import { offsetOf } from '../pages.ts';
import type { PolicyStore } from '../policies.ts';
import type { StoredPolicy } from '../stored-policies.ts';
import type { Db, Postgres } from './database.ts';
import type { Enforcement } from './enforcement.ts';
import { totalOf } from './pages.ts';
import { addVersionLists } from './policy-lists.ts';
import {
  acceptVersion,
  changePolicy,
  findExpected,
  findPolicy,
  findVersion,
  policyColumns,
  versionColumns,
} from './policy-rows.ts';
import type { Revisions } from './revisions.ts';
import {
  bindings,
  housePolicies,
  operators,
  policies,
  policySetMembers,
  policyVersionLists,
  policyVersions,
} from './tables.ts';

type Policies = Pick<
  PolicyStore,
  'create' | 'find' | 'list' | 'addVersion' | 'findVersion' | 'listVersions' | 'delete'
>;

/** Policies and their versions. */
export function createPolicies(
  { read, change }: Postgres,
  revisions: Revisions,
  enforcement: Enforcement,
): Policies {
  const changePolicyOf = <T>(policyId: string, work: (tx: Db) => Promise<T>): Promise<T> =>
    change((tx) => enforcement.during(tx, { policyId }, () => work(tx)));
  return {
    create: ({ id, status, createdAt }, { lists, ...version }) =>
      change(async (tx) => {
        await tx.insert(policies).values({
          id,
          name: version.name,
          status,
          currentVersion: 1,
          latestVersion: 1,
          createdAt,
          updatedAt: createdAt,
        });
        await tx.insert(policyVersions).values({ ...version, policyId: id, version: 1, createdAt });
        await addVersionLists(tx, id, 1, lists);
        return (await findPolicy(tx, id)) as StoredPolicy;
      }),

    find: (id) => read((db) => findPolicy(db, id)),

    list: (page, { status }) =>
      read(async (db) => {
        const where = status && eq(policies.status, status);
        const items = await db
          .select(policyColumns)
          .from(policies)
          .where(where)
          .orderBy(desc(policies.createdAt), desc(policies.id))
          .limit(page.size)
          .offset(offsetOf(page));
        return { items, total: await totalOf(db, policies, where) };
      }),

    addVersion: (id, { lists, ...version }, now, { activates = true, ...terms } = {}) =>
      changePolicyOf(id, async (tx) => {
        const policy = await findExpected(tx, id, terms);
        if (typeof policy === 'string') return policy;
        const next = policy.latestVersion + 1;
        const current = activates || policy.status !== 'ACTIVE';
        await tx.insert(policyVersions).values({ ...version, policyId: id, version: next, createdAt: now });
        await addVersionLists(tx, id, next, lists);
        if (current) await acceptVersion(tx, id, { ...version, version: next }, terms);
        await revisions.raiseBound(tx, id);
        return changePolicy(tx, id, {
          latestVersion: next,
          ...(current && { name: version.name, currentVersion: next, previousVersion: policy.version }),
          updatedAt: now,
        });
      }),

    findVersion: (id, version) => read((db) => findVersion(db, id, version)),

    listVersions: (id, page, mostBytes) =>
      read(async (db) => {
        if (!(await findPolicy(db, id))) return null;
        const where = eq(policyVersions.policyId, id);
        const items = await db
          .select({ ...versionColumns, document: narrow<string>(policyVersions.document, mostBytes) })
          .from(policyVersions)
          .leftJoin(operators, isOperator(operators, policyVersions.author))
          .where(where)
          .orderBy(desc(policyVersions.version))
          .limit(page.size)
          .offset(offsetOf(page));
        return { items, total: await totalOf(db, policyVersions, where) };
      }),

    delete: (id, terms = {}) =>
      changePolicyOf(id, async (tx) => {
        const policy = await findExpected(tx, id, terms);
        if (typeof policy === 'string') return policy;
        // Waits for evaluations that are being recorded with a new set of policies: each of its members refers to its policy.
        await tx.select({ id: policies.id }).from(policies).where(eq(policies.id, id)).for('update');
        if ((await totalOf(tx, policySetMembers, eq(policySetMembers.policyId, id))) > 0)
          return 'has_decided';
        await revisions.raiseBound(tx, id);
        await tx.delete(bindings).where(eq(bindings.policyId, id));
        await tx.delete(housePolicies).where(eq(housePolicies.policyId, id));
        await tx.delete(policyVersionLists).where(eq(policyVersionLists.policyId, id));
        await tx.delete(policyVersions).where(eq(policyVersions.policyId, id));
        await tx.delete(policies).where(eq(policies.id, id));
        return policy;
      }),
  };
}
