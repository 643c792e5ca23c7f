import { and, count, desc, eq, isNull } from 'drizzle-orm';
import type { PolicyStore, StoredBinding, StoredPolicy } from '../policies.ts';
import type { Sqlite } from './database.ts';
import { narrow } from './listed-columns.ts';
import { offsetOf } from './pages.ts';
import type { Revisions } from './revisions.ts';
import { bindings, integrations, operators, policies, policySetMembers, policyVersions } from './tables.ts';

const columns = {
  id: policies.uid,
  name: policies.name,
  status: policies.status,
  version: policies.currentVersion,
  latestVersion: policies.latestVersion,
  createdAt: policies.createdAt,
  updatedAt: policies.updatedAt,
};
const versionColumns = {
  version: policyVersions.version,
  name: policyVersions.name,
  mediaType: policyVersions.mediaType,
  author: policyVersions.author,
  authorName: operators.name,
  document: policyVersions.document,
  createdAt: policyVersions.createdAt,
};

/** Ids are kept in lower case, and are answered so however they were asked for. */
const binding = (integrationId: string, policyId: string, createdAt: number): StoredBinding => ({
  integrationId: integrationId.toLowerCase(),
  policyId: policyId.toLowerCase(),
  createdAt,
});

export function createPolicies(
  { db, writer, read }: Sqlite,
  revisions: Revisions,
): Omit<PolicyStore, 'findInForce'> {
  const find = (id: string): StoredPolicy | null =>
    db.select(columns).from(policies).where(eq(policies.uid, id.toLowerCase())).get() ?? null;
  const found = (id: string): StoredPolicy => find(id) as StoredPolicy;
  const rowId = (id: string): number | undefined =>
    db.select({ id: policies.id }).from(policies).where(eq(policies.uid, id.toLowerCase())).get()?.id;
  const integrationRow = (id: string): number | undefined =>
    db
      .select({ id: integrations.id })
      .from(integrations)
      .where(and(eq(integrations.uid, id.toLowerCase()), isNull(integrations.deletedAt)))
      .get()?.id;
  const findVersion = (policyRow: number, version: number) =>
    db
      .select(versionColumns)
      .from(policyVersions)
      .leftJoin(operators, eq(operators.uid, policyVersions.author))
      .where(and(eq(policyVersions.policyId, policyRow), eq(policyVersions.version, version)))
      .get() ?? null;
  const total = (rows: { total: number } | undefined): number => rows?.total ?? 0;

  return {
    create: (policy, version) =>
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
        return found(policy.id);
      }),

    find: (id) => read(() => find(id)),

    list: (page, { status }) =>
      read(() => {
        const where = status && eq(policies.status, status);
        return {
          items: db
            .select(columns)
            .from(policies)
            .where(where)
            .orderBy(desc(policies.id))
            .limit(page.size)
            .offset(offsetOf(page))
            .all(),
          total: total(db.select({ total: count() }).from(policies).where(where).get()),
        };
      }),

    addVersion: (id, version, now, activates = true) =>
      writer.run(() => {
        const row = rowId(id);
        if (row === undefined) return null;
        const { status, latestVersion } = found(id);
        const next = latestVersion + 1;
        const current = activates || status !== 'ACTIVE';
        db.insert(policyVersions)
          .values({ ...version, policyId: row, version: next, createdAt: now })
          .run();
        db.update(policies)
          .set({
            latestVersion: next,
            ...(current && { name: version.name, currentVersion: next }),
            updatedAt: now,
          })
          .where(eq(policies.id, row))
          .run();
        revisions.raiseBound(row);
        return found(id);
      }),

    findVersion: (id, version) =>
      read(() => {
        const row = rowId(id);
        return row === undefined ? null : findVersion(row, version);
      }),

    listVersions: (id, page, mostBytes) =>
      read(() => {
        const row = rowId(id);
        if (row === undefined) return null;
        const where = eq(policyVersions.policyId, row);
        return {
          items: db
            .select({ ...versionColumns, document: narrow<string>(policyVersions.document, mostBytes) })
            .from(policyVersions)
            .leftJoin(operators, eq(operators.uid, policyVersions.author))
            .where(where)
            .orderBy(desc(policyVersions.version))
            .limit(page.size)
            .offset(offsetOf(page))
            .all(),
          total: total(db.select({ total: count() }).from(policyVersions).where(where).get()),
        };
      }),

    activate: (id, version, now, notBy = null) =>
      writer.run(() => {
        const row = rowId(id);
        if (row === undefined) return 'no_policy';
        const target = findVersion(row, version ?? found(id).version);
        if (!target) return 'no_version';
        if (notBy !== null && target.author === notBy) return 'own_version';
        db.update(policies)
          .set({ status: 'ACTIVE', currentVersion: target.version, name: target.name, updatedAt: now })
          .where(eq(policies.id, row))
          .run();
        revisions.raiseBound(row);
        return found(id);
      }),

    deprecate: (id, now) =>
      writer.run(() => {
        const row = rowId(id);
        if (row === undefined) return 'no_policy';
        if (found(id).status === 'DEPRECATED') return 'already_deprecated';
        db.update(policies).set({ status: 'DEPRECATED', updatedAt: now }).where(eq(policies.id, row)).run();
        revisions.raiseBound(row);
        return found(id);
      }),

    delete: (id) =>
      writer.run(() => {
        const row = rowId(id);
        if (row === undefined) return 'no_policy';
        const decided = db
          .select({ set: policySetMembers.policySetId })
          .from(policySetMembers)
          .where(eq(policySetMembers.policyId, row))
          .limit(1)
          .get();
        if (decided) return 'has_decided';
        const last = found(id);
        revisions.raiseBound(row);
        db.delete(bindings).where(eq(bindings.policyId, row)).run();
        db.delete(policyVersions).where(eq(policyVersions.policyId, row)).run();
        db.delete(policies).where(eq(policies.id, row)).run();
        return last;
      }),

    bind: (integrationId, policyId, now) =>
      writer.run(() => {
        const integration = integrationRow(integrationId);
        const policy = rowId(policyId);
        if (integration === undefined || policy === undefined) return null;
        const where = and(eq(bindings.integrationId, integration), eq(bindings.policyId, policy));
        const before = db.select({ createdAt: bindings.createdAt }).from(bindings).where(where).get();
        if (before) return binding(integrationId, policyId, before.createdAt);
        db.insert(bindings).values({ integrationId: integration, policyId: policy, createdAt: now }).run();
        revisions.raise(integration);
        return binding(integrationId, policyId, now);
      }),

    unbind: (integrationId, policyId) =>
      writer.run(() => {
        const integration = integrationRow(integrationId);
        const policy = rowId(policyId);
        if (integration === undefined || policy === undefined) return null;
        const removed = db
          .delete(bindings)
          .where(and(eq(bindings.integrationId, integration), eq(bindings.policyId, policy)))
          .returning({ createdAt: bindings.createdAt })
          .get();
        if (!removed) return null;
        revisions.raise(integration);
        return binding(integrationId, policyId, removed.createdAt);
      }),

    listBound: (integrationId, page) =>
      read(() => {
        const integration = integrationRow(integrationId);
        if (integration === undefined) return null;
        const where = eq(bindings.integrationId, integration);
        return {
          items: db
            .select(columns)
            .from(bindings)
            .innerJoin(policies, eq(policies.id, bindings.policyId))
            .where(where)
            .orderBy(desc(bindings.createdAt), desc(policies.id))
            .limit(page.size)
            .offset(offsetOf(page))
            .all(),
          total: total(db.select({ total: count() }).from(bindings).where(where).get()),
        };
      }),
  };
}
