import { type AnyColumn, and, asc, eq, gt, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm';
import {
  type DecidingResource,
  decidingResources,
  decidingState,
  listChangeText,
  type VersionedResource,
} from '../record/deciding-state.ts';
import type { RecordCut, RecordedState, RecordedVersion } from '../store/record.ts';
import { positionOf } from './hot-tables.ts';
import { createShowResource } from './snapshots.ts';
import { all, type Db, type Dialect, first, type Step } from './steps.ts';

type Ids = (db: Db, after: string, limit: number) => Step<{ id: string }[]>;

/** Comes before every other one. */
const firstId = '00000000-0000-0000-0000-000000000000';

/** The reads of an export of the record about the resources that decide. */
export function createDecidingReads(dialect: Dialect) {
  const { auditEntries } = dialect.hot;
  const { tables } = dialect;
  const show = createShowResource(dialect);
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

  /** The text of a resource that entries have only the hash of; null for one without. */
  function* textOf(db: Db, resource: DecidingResource, id: string): Step<string | null> {
    if (resource === 'lists') {
      const { entries } = lists;
      return (yield* first(db.select({ entries }).from(lists).where(eq(lists.id, id))))?.entries ?? null;
    }
    if (resource !== 'integrations') return null;
    const { tools, integrationId } = toolCatalogues;
    const catalogue = db.select({ tools }).from(toolCatalogues).where(eq(integrationId, id));
    return (yield* first(catalogue))?.tools ?? null;
  }

  /**
   * Whether a management call beyond the cut changed it. A policy that is deleted leaves the bindings of integrations, and the
   * house policies, without an entry on them.
   */
  function* isChanged(db: Db, resource: DecidingResource, id: string, cut: RecordCut): Step<boolean> {
    const { before, after } = auditEntries;
    const isOn = and(
      eq(auditEntries.resource, resource),
      eq(auditEntries.resourceId, id),
      or(isNotNull(before), isNotNull(after)),
    );
    const deletes = and(eq(auditEntries.resource, 'policies'), isNotNull(before), isNull(after));
    const isLater = gt(positionOf(auditEntries), cut.call);
    const found = db
      .select({ one: sql`1`.as('one') })
      .from(auditEntries)
      .where(and(isLater, or(isOn, resource === 'integrations' ? deletes : undefined)));
    return (yield* first(found.limit(1))) !== null;
  }

  return {
    /** The deciding resources as they stand, to be compared with the entries of management. */
    *states(
      db: Db,
      resource: DecidingResource,
      cut: RecordCut,
      { after, limit }: { after: string; limit: number },
    ): Step<RecordedState[]> {
      const states: RecordedState[] = [];
      for (const { id } of yield* ids[resource](db, after, limit)) {
        // A change commits with its entry: one that is read here, and not there, came in between.
        const shown = (yield* isChanged(db, resource, id, cut)) ? null : yield* show(db, resource, id);
        states.push({
          resourceId: id,
          state: shown === null ? null : decidingState(resource, JSON.parse(shown)),
          text: shown === null ? null : yield* textOf(db, resource, id),
        });
      }
      return states;
    },

    /** All that decides, as entries name it. */
    *inForce(db: Db): Step<{ resource: DecidingResource; resourceId: string; after: string | null }[]> {
      const found = [];
      for (const resource of decidingResources) {
        for (const { id } of yield* ids[resource](db, firstId, Number.MAX_SAFE_INTEGER))
          found.push({ resource, resourceId: id, after: yield* show(db, resource, id) });
      }
      return found;
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
