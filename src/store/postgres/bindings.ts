import { and, asc, desc, eq, isNull } from 'drizzle-orm';
import { noTerms, termsOf } from '../binding-terms.ts';
import type { BindingStore, BindingTerms, StoredBinding, StoredHousePolicy } from '../bindings.ts';
import { isAsExpected } from '../expected.ts';
import { offsetOf } from '../pages.ts';
import type { AcceptVersion, VersionInUse } from '../stored-policies.ts';
import type { Db, Postgres } from './database.ts';
import type { Concerned, Enforcement } from './enforcement.ts';
import { totalOf } from './pages.ts';
import { acceptVersion, findPolicy, findVersion, policyColumns } from './policy-rows.ts';
import type { Revisions } from './revisions.ts';
import { bindings, housePolicies, integrations, policies } from './tables.ts';

/** Which policies decide for which integrations, and on what terms. */
export function createBindings(
  { read, change }: Postgres,
  revisions: Revisions,
  enforcement: Enforcement,
): BindingStore {
  const changing = <T>(concerned: Concerned, work: (tx: Db) => Promise<T>): Promise<T> =>
    change((tx) => enforcement.during(tx, concerned, () => work(tx)));
  return {
    bind: (integrationId, policyId, terms, now, { accepts, expected } = {}) =>
      changing({ integrationId }, async (tx) => {
        if (!(await isThere(tx, integrationId)) || !(await findPolicy(tx, policyId))) return null;
        const before = await findBinding(tx, integrationId, policyId);
        if (!isAsExpected(before, expected)) return 'outdated';
        if (before && terms === null) return before;
        const { params, mode } = terms ?? noTerms;
        await acceptTerms(tx, policyId, integrationId.toLowerCase(), params, accepts);
        await tx
          .insert(bindings)
          .values({ integrationId, policyId, createdAt: now, params, mode })
          .onConflictDoUpdate({
            target: [bindings.integrationId, bindings.policyId],
            set: { params, mode, updatedAt: now },
          });
        await revisions.raise(tx, integrationId);
        return findBinding(tx, integrationId, policyId);
      }),

    unbind: (integrationId, policyId, { expected } = {}) =>
      changing({ integrationId }, async (tx) => {
        const before = (await isThere(tx, integrationId)) && (await findBinding(tx, integrationId, policyId));
        if (!before) return null;
        if (!isAsExpected(before, expected)) return 'outdated';
        await tx.delete(bindings).where(isBinding(integrationId, policyId));
        await revisions.raise(tx, integrationId);
        return before;
      }),

    findBinding: (integrationId, policyId) =>
      read(async (db) =>
        (await isThere(db, integrationId)) ? findBinding(db, integrationId, policyId) : null,
      ),

    listBound: (integrationId, page) =>
      read(async (db) => {
        if (!(await isThere(db, integrationId))) return null;
        const where = eq(bindings.integrationId, integrationId);
        const rows = await db
          .select({ policy: policyColumns, binding: bindings })
          .from(bindings)
          .innerJoin(policies, eq(policies.id, bindings.policyId))
          .where(where)
          .orderBy(desc(bindings.createdAt), desc(policies.createdAt), desc(policies.id))
          .limit(page.size)
          .offset(offsetOf(page));
        return {
          items: rows.map(({ policy, binding }) => ({ ...policy, binding: toBinding(binding) })),
          total: await totalOf(db, bindings, where),
        };
      }),

    listIntegrationsOf: (policyId) =>
      read(async (db) => {
        const present = isNull(integrations.deletedAt);
        const ids = db.select({ id: integrations.id }).from(integrations);
        const order = [asc(integrations.createdAt), asc(integrations.id)];
        const found = (await findHouse(db, policyId))
          ? await ids.where(present).orderBy(...order)
          : await ids
              .innerJoin(bindings, eq(bindings.integrationId, integrations.id))
              .where(and(eq(bindings.policyId, policyId), present))
              .orderBy(...order);
        return found.map(({ id }) => id);
      }),

    bindHouse: (policyId, terms, now, { accepts, expected } = {}) =>
      changing({ policyId }, async (tx) => {
        if (!(await findPolicy(tx, policyId))) return null;
        const before = await findHouse(tx, policyId);
        if (!isAsExpected(before, expected)) return 'outdated';
        if (before && terms === null) return before;
        const { params, mode } = terms ?? noTerms;
        await acceptTerms(tx, policyId, null, params, accepts);
        await tx
          .insert(housePolicies)
          .values({ policyId, createdAt: now, params, mode })
          .onConflictDoUpdate({ target: housePolicies.policyId, set: { params, mode, updatedAt: now } });
        await revisions.raiseAll(tx);
        return findHouse(tx, policyId);
      }),

    unbindHouse: (policyId, { expected } = {}) =>
      changing({ policyId }, async (tx) => {
        const before = await findHouse(tx, policyId);
        if (!before) return null;
        if (!isAsExpected(before, expected)) return 'outdated';
        await tx.delete(housePolicies).where(eq(housePolicies.policyId, policyId));
        await revisions.raiseAll(tx);
        return before;
      }),

    listHouse: (page) =>
      read(async (db) => {
        const rows = await db
          .select({ policy: policyColumns, house: housePolicies })
          .from(housePolicies)
          .innerJoin(policies, eq(policies.id, housePolicies.policyId))
          .orderBy(desc(housePolicies.createdAt), desc(policies.createdAt), desc(policies.id))
          .limit(page.size)
          .offset(offsetOf(page));
        return {
          items: rows.map(({ policy, house }) => ({ ...toHouse(house), policy })),
          total: await totalOf(db, housePolicies),
        };
      }),

    findHouse: (policyId) => read((db) => findHouse(db, policyId)),
  };
}

const isBinding = (integrationId: string, policyId: string) =>
  and(eq(bindings.integrationId, integrationId), eq(bindings.policyId, policyId));

async function findBinding(db: Db, integrationId: string, policyId: string): Promise<StoredBinding | null> {
  const [row] = await db.select().from(bindings).where(isBinding(integrationId, policyId));
  return row ? toBinding(row) : null;
}

async function findHouse(db: Db, policyId: string): Promise<StoredHousePolicy | null> {
  const [row] = await db.select().from(housePolicies).where(eq(housePolicies.policyId, policyId));
  return row ? toHouse(row) : null;
}

const toBinding = (row: typeof bindings.$inferSelect): StoredBinding => ({
  integrationId: row.integrationId,
  policyId: row.policyId,
  ...termsOf(row),
});

const toHouse = (row: typeof housePolicies.$inferSelect): StoredHousePolicy => ({
  policyId: row.policyId,
  ...termsOf(row),
});

/** Every version that decides, or will, must take these values of params. */
async function acceptTerms(
  tx: Db,
  policyId: string,
  integrationId: string | null,
  params: BindingTerms['params'],
  accepts: AcceptVersion | undefined,
): Promise<void> {
  if (!accepts) return;
  const only = (version: VersionInUse) => accepts({ ...version, bindings: [{ integrationId, params }] });
  const policy = await findPolicy(tx, policyId);
  for (const number of new Set([policy?.version, policy?.scheduledVersion])) {
    if (typeof number !== 'number') continue;
    const version = await findVersion(tx, policyId, number);
    if (version) await acceptVersion(tx, policyId, version, { accepts: only });
  }
}

/** Whether there is such an integration that is not deleted. */
async function isThere(db: Db, integrationId: string): Promise<boolean> {
  const found = await db
    .select({ id: integrations.id })
    .from(integrations)
    .where(and(eq(integrations.id, integrationId), isNull(integrations.deletedAt)));
  return found.length > 0;
}
