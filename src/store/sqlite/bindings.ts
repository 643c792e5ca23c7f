import { and, asc, count, desc, eq, isNull } from 'drizzle-orm';
import { noTerms, termsOf } from '../binding-terms.ts';
import type { BindingStore, BindingTerms, StoredBinding, StoredHousePolicy } from '../bindings.ts';
import { isAsExpected } from '../expected.ts';
import { offsetOf } from '../pages.ts';
import type { AcceptVersion, VersionInUse } from '../stored-policies.ts';
import type { Sqlite } from './database.ts';
import type { Concerned, Enforcement } from './enforcement.ts';
import { type PolicyRows, policyColumns, type VersionRow } from './policy-rows.ts';
import type { Revisions } from './revisions.ts';
import { bindings, housePolicies, integrations, policies } from './tables.ts';

interface TermsRow {
  params: string;
  mode: BindingTerms['mode'];
  createdAt: number;
  updatedAt: number | null;
}
const termsColumns = (table: typeof bindings | typeof housePolicies) => ({
  params: table.params,
  mode: table.mode,
  createdAt: table.createdAt,
  updatedAt: table.updatedAt,
});

/** Which policies decide for which integrations, and on what terms. */
export function createBindings(
  { db, writer, read }: Sqlite,
  rows: PolicyRows,
  revisions: Revisions,
  enforcement: Enforcement,
): BindingStore {
  const change = <T>(concerned: Concerned, work: () => T): Promise<T> =>
    enforcement.change(writer, concerned, work);
  const integrationRow = (id: string): number | undefined =>
    db
      .select({ id: integrations.row })
      .from(integrations)
      .where(and(eq(integrations.id, id.toLowerCase()), isNull(integrations.deletedAt)))
      .get()?.id;
  const total = (counted: { total: number } | undefined): number => counted?.total ?? 0;
  const houseOf = (row: number) =>
    db.select(termsColumns(housePolicies)).from(housePolicies).where(eq(housePolicies.policyId, row)).get();

  /** Every version that decides, or will, must take these terms. */
  function acceptTerms(
    row: number,
    integrationId: string | null,
    { params }: BindingTerms,
    accepts: AcceptVersion | undefined,
  ): void {
    if (!accepts) return;
    const only = (version: VersionInUse) => accepts({ ...version, bindings: [{ integrationId, params }] });
    const policy = db.select().from(policies).where(eq(policies.id, row)).get();
    for (const version of new Set([policy?.currentVersion, policy?.scheduledVersion])) {
      if (typeof version !== 'number') continue;
      rows.accept(row, rows.findVersion(row, version) as VersionRow, { accepts: only });
    }
  }

  const bindingOf = (integration: number, policy: number) => {
    const where = and(eq(bindings.integrationId, integration), eq(bindings.policyId, policy));
    return { where, row: db.select(termsColumns(bindings)).from(bindings).where(where).get() };
  };
  /** Ids are kept in lower case, and are returned so however they were sent. */
  const binding = (integrationId: string, policyId: string, row: TermsRow): StoredBinding => ({
    integrationId: integrationId.toLowerCase(),
    policyId: policyId.toLowerCase(),
    ...termsOf(row),
  });
  const house = (policyId: string, row: TermsRow): StoredHousePolicy => ({
    policyId: policyId.toLowerCase(),
    ...termsOf(row),
  });

  return {
    bind: (integrationId, policyId, terms, now, { accepts, expected } = {}) =>
      change({ integrationId }, () => {
        const integration = integrationRow(integrationId);
        const policy = rows.rowOf(policyId);
        if (integration === undefined || policy === undefined) return null;
        const before = bindingOf(integration, policy);
        if (!isAsExpected(before.row, expected)) return 'outdated';
        if (before.row && terms === null) return binding(integrationId, policyId, before.row);
        acceptTerms(policy, integrationId.toLowerCase(), terms ?? noTerms, accepts);
        const { params, mode } = terms ?? noTerms;
        const columns = { params, mode };
        if (before.row)
          db.update(bindings)
            .set({ ...columns, updatedAt: now })
            .where(before.where)
            .run();
        else
          db.insert(bindings)
            .values({ integrationId: integration, policyId: policy, createdAt: now, ...columns })
            .run();
        revisions.raise(integrationId.toLowerCase());
        return binding(integrationId, policyId, bindingOf(integration, policy).row as TermsRow);
      }),

    unbind: (integrationId, policyId, { expected } = {}) =>
      change({ integrationId }, () => {
        const integration = integrationRow(integrationId);
        const policy = rows.rowOf(policyId);
        if (integration === undefined || policy === undefined) return null;
        const { where, row } = bindingOf(integration, policy);
        if (!row) return null;
        if (!isAsExpected(row, expected)) return 'outdated';
        db.delete(bindings).where(where).run();
        revisions.raise(integrationId.toLowerCase());
        return binding(integrationId, policyId, row);
      }),

    findBinding: (integrationId, policyId) =>
      read(() => {
        const integration = integrationRow(integrationId);
        const policy = rows.rowOf(policyId);
        if (integration === undefined || policy === undefined) return null;
        const { row } = bindingOf(integration, policy);
        return row ? binding(integrationId, policyId, row) : null;
      }),

    listBound: (integrationId, page) =>
      read(() => {
        const integration = integrationRow(integrationId);
        if (integration === undefined) return null;
        const where = eq(bindings.integrationId, integration);
        return {
          items: db
            .select({ policy: policyColumns, terms: termsColumns(bindings) })
            .from(bindings)
            .innerJoin(policies, eq(policies.id, bindings.policyId))
            .where(where)
            .orderBy(desc(bindings.createdAt), desc(policies.id))
            .limit(page.size)
            .offset(offsetOf(page))
            .all()
            .map(({ policy, terms }) => ({
              ...policy,
              binding: binding(integrationId, policy.id, terms),
            })),
          total: total(db.select({ total: count() }).from(bindings).where(where).get()),
        };
      }),

    listIntegrationsOf: (policyId) =>
      read(() => {
        const row = rows.rowOf(policyId);
        if (row === undefined) return [];
        const uids = db.select({ id: integrations.id }).from(integrations);
        const found = houseOf(row)
          ? uids.where(isNull(integrations.deletedAt)).orderBy(asc(integrations.row)).all()
          : uids
              .innerJoin(bindings, eq(bindings.integrationId, integrations.row))
              .where(and(eq(bindings.policyId, row), isNull(integrations.deletedAt)))
              .orderBy(asc(integrations.row))
              .all();
        return found.map(({ id }) => id);
      }),

    bindHouse: (policyId, terms, now, { accepts, expected } = {}) =>
      change({ policyId }, () => {
        const row = rows.rowOf(policyId);
        if (row === undefined) return null;
        const before = houseOf(row);
        if (!isAsExpected(before, expected)) return 'outdated';
        if (before && terms === null) return house(policyId, before);
        acceptTerms(row, null, terms ?? noTerms, accepts);
        const { params, mode } = terms ?? noTerms;
        const columns = { params, mode };
        db.insert(housePolicies)
          .values({ policyId: row, createdAt: now, ...columns })
          .onConflictDoUpdate({ target: housePolicies.policyId, set: { ...columns, updatedAt: now } })
          .run();
        revisions.raiseAll();
        return house(policyId, houseOf(row) as TermsRow);
      }),

    unbindHouse: (policyId, { expected } = {}) =>
      change({ policyId }, () => {
        const row = rows.rowOf(policyId);
        const before = row === undefined ? undefined : houseOf(row);
        if (row === undefined || !before) return null;
        if (!isAsExpected(before, expected)) return 'outdated';
        db.delete(housePolicies).where(eq(housePolicies.policyId, row)).run();
        revisions.raiseAll();
        return house(policyId, before);
      }),

    listHouse: (page) =>
      read(() => ({
        items: db
          .select({ policy: policyColumns, terms: termsColumns(housePolicies) })
          .from(housePolicies)
          .innerJoin(policies, eq(policies.id, housePolicies.policyId))
          .orderBy(desc(housePolicies.createdAt), desc(policies.id))
          .limit(page.size)
          .offset(offsetOf(page))
          .all()
          .map(({ policy, terms }) => ({ ...house(policy.id, terms), policy })),
        total: total(db.select({ total: count() }).from(housePolicies).get()),
      })),

    findHouse: (policyId) =>
      read(() => {
        const row = rows.rowOf(policyId);
        const found = row === undefined ? undefined : houseOf(row);
        return found ? house(policyId, found) : null;
      }),
  };
}
