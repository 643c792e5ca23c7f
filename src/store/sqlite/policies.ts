import { count, desc, eq } from 'drizzle-orm';
import { narrow } from '../../sql/wide-texts.ts';
import { offsetOf } from '../pages.ts';
import type { PolicyStore } from '../policies.ts';
import type { StoredPolicy } from '../stored-policies.ts';
import type { Sqlite } from './database.ts';
import type { Enforcement } from './enforcement.ts';
import type { PolicyLists } from './policy-lists.ts';
import { type PolicyRows, policyColumns, versionColumns } from './policy-rows.ts';
import type { Revisions } from './revisions.ts';
import { bindings, housePolicies, operators, policies, policySetMembers, policyVersions } from './tables.ts';

type Policies = Pick<
  PolicyStore,
  'create' | 'find' | 'list' | 'addVersion' | 'findVersion' | 'listVersions' | 'delete'
>;

/** Policies and their versions. */
export function createPolicies(
  { db, writer, read }: Sqlite,
  rows: PolicyRows,
  policyLists: PolicyLists,
  revisions: Revisions,
  enforcement: Enforcement,
): Policies {
  const change = <T>(policyId: string, work: () => T): Promise<T> =>
    enforcement.change(writer, { policyId }, work);
  const found = (id: string): StoredPolicy => rows.find(id) as StoredPolicy;
  const total = (counted: { total: number } | undefined): number => counted?.total ?? 0;

  return {
    create: (policy, { lists, ...version }) =>
      writer.run(() => {
        const row = db
          .insert(policies)
          .values({
            uid: policy.id,
            name: version.name,
            status: policy.status,
            currentVersion: 1,
            latestVersion: 1,
            createdAt: policy.createdAt,
            updatedAt: policy.createdAt,
          })
          .returning({ id: policies.id })
          .get();
        db.insert(policyVersions)
          .values({ ...version, policyId: row.id, version: 1, createdAt: policy.createdAt })
          .run();
        policyLists.add(row.id, 1, lists);
        return found(policy.id);
      }),

    find: (id) => read(() => rows.find(id)),

    list: (page, { status }) =>
      read(() => {
        const where = status && eq(policies.status, status);
        return {
          items: db
            .select(policyColumns)
            .from(policies)
            .where(where)
            .orderBy(desc(policies.id))
            .limit(page.size)
            .offset(offsetOf(page))
            .all(),
          total: total(db.select({ total: count() }).from(policies).where(where).get()),
        };
      }),

    addVersion: (id, { lists, ...version }, now, { activates = true, ...terms } = {}) =>
      change(id, () => {
        const changed = rows.findExpected(id, terms);
        if (typeof changed === 'string') return changed;
        const { row, policy } = changed;
        const next = policy.latestVersion + 1;
        const current = activates || policy.status !== 'ACTIVE';
        db.insert(policyVersions)
          .values({ ...version, policyId: row, version: next, createdAt: now })
          .run();
        policyLists.add(row, next, lists);
        if (current) rows.accept(row, { ...version, version: next, authorName: null, createdAt: now }, terms);
        rows.change(row, {
          latestVersion: next,
          ...(current && { name: version.name, currentVersion: next, previousVersion: policy.version }),
          updatedAt: now,
        });
        revisions.raiseBound(row);
        return found(id);
      }),

    findVersion: (id, version) =>
      read(() => {
        const row = rows.rowOf(id);
        return row === undefined ? null : rows.findVersion(row, version);
      }),

    listVersions: (id, page, mostBytes) =>
      read(() => {
        const row = rows.rowOf(id);
        if (row === undefined) return null;
        const where = eq(policyVersions.policyId, row);
        return {
          items: db
            .select({ ...versionColumns, document: narrow<string>(policyVersions.document, mostBytes) })
            .from(policyVersions)
            .leftJoin(operators, eq(operators.id, policyVersions.author))
            .where(where)
            .orderBy(desc(policyVersions.version))
            .limit(page.size)
            .offset(offsetOf(page))
            .all(),
          total: total(db.select({ total: count() }).from(policyVersions).where(where).get()),
        };
      }),

    delete: (id, terms = {}) =>
      change(id, () => {
        const changed = rows.findExpected(id, terms);
        if (typeof changed === 'string') return changed;
        const { row, policy } = changed;
        const decided = db
          .select({ set: policySetMembers.policySetId })
          .from(policySetMembers)
          .where(eq(policySetMembers.policyId, row))
          .limit(1)
          .get();
        if (decided) return 'has_decided';
        revisions.raiseBound(row);
        db.delete(bindings).where(eq(bindings.policyId, row)).run();
        db.delete(housePolicies).where(eq(housePolicies.policyId, row)).run();
        policyLists.remove(row);
        db.delete(policyVersions).where(eq(policyVersions.policyId, row)).run();
        db.delete(policies).where(eq(policies.id, row)).run();
        return policy;
      }),
  };
}
