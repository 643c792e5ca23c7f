import { type AnyColumn, asc, eq, gt, type SQL, sql } from 'drizzle-orm';
import { type DecidingResource, listChangeText, type VersionedResource } from '../record/deciding-state.ts';
import type { RecordedVersion } from '../store/record.ts';
import { all, type Db, first, type Step } from './steps.ts';
import type { Tables } from './tables.ts';

type Ids = (db: Db, after: string, limit: number) => Step<{ id: string }[]>;

/** What an export of the record has of the resources that decide. */
export function createDecidingReads(tables: Tables) {
  const { housePolicies, integrations, lists, listChanges, policies, policyVersions, toolCatalogues } =
    tables;

  const idsIn =
    (table: typeof integrations | typeof lists | typeof policies): Ids =>
    (db, after, limit) =>
      all(
        db
          .select({ id: table.id })
          .from(table)
          .where(gt(table.id, after))
          .orderBy(asc(table.id))
          .limit(limit),
      );
  const ids: Readonly<Record<DecidingResource, Ids>> = {
    policies: idsIn(policies),
    lists: idsIn(lists),
    integrations: idsIn(integrations),
    'house-policies': (db, after, limit) => {
      const { policyId } = housePolicies;
      const houses = db.select({ id: policyId }).from(housePolicies).where(gt(policyId, after));
      return all(houses.orderBy(asc(policyId)).limit(limit));
    },
  };

  function* listVersions(
    db: Db,
    after: { id: string; version: number },
    limit: number,
  ): Step<RecordedVersion[]> {
    const { listId, version, added, removed } = listChanges;
    const changes = yield* all(
      db
        .select({ listId, version, added, removed })
        .from(listChanges)
        .where(isAfter(listId, version, after))
        .orderBy(asc(listId), asc(version))
        .limit(limit),
    );
    return changes.map((change) => ({
      resourceId: change.listId,
      version: change.version,
      text: listChangeText(change),
    }));
  }

  return {
    ids,

    /** The text of a resource that entries have only the hash of; null for one without. */
    *text(db: Db, resource: DecidingResource, id: string): Step<string | null> {
      if (resource === 'lists') {
        const { entries } = lists;
        return (yield* first(db.select({ entries }).from(lists).where(eq(lists.id, id))))?.entries ?? null;
      }
      if (resource !== 'integrations') return null;
      const { tools, integrationId } = toolCatalogues;
      const catalogue = db.select({ tools }).from(toolCatalogues).where(eq(integrationId, id));
      return (yield* first(catalogue))?.tools ?? null;
    },

    versions(
      db: Db,
      resource: VersionedResource,
      after: { id: string; version: number },
      limit: number,
    ): Step<RecordedVersion[]> {
      if (resource === 'lists') return listVersions(db, after, limit);
      const { policyId: resourceId, version, document: text } = policyVersions;
      return all(
        db
          .select({ resourceId, version, text })
          .from(policyVersions)
          .where(isAfter(resourceId, version, after))
          .orderBy(asc(resourceId), asc(version))
          .limit(limit),
      );
    },
  };
}

const isAfter = (id: AnyColumn, version: AnyColumn, after: { id: string; version: number }): SQL =>
  sql`(${id}, ${version}) > (${after.id}, ${after.version})`;
