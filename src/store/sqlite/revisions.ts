import { eq, inArray, type SQL, sql } from 'drizzle-orm';
import type { Sqlite } from './database.ts';
import { prepareHotRead } from './hot-statement.ts';
import { bindings, housePolicies, integrations } from './tables.ts';

/** How often what decides for an integration has changed. Synchronous: it runs inside a change. */
export interface Revisions {
  /** As of the change that asks. */
  of(integrationRow: number): number;
  raise(integrationId: string): void;
  /** Raises the revision of every integration that the policy decides for: all of them for a house policy. */
  raiseBound(policyId: string): void;
  raiseAll(): void;
}

/**
 * Revisions are remembered until this process raises one, another one writes, or a transaction is rolled back: recording
 * an evaluation asks for one each time.
 */
export function createRevisions({
  client,
  db,
  writer,
  touch,
}: Pick<Sqlite, 'client' | 'db' | 'writer' | 'touch'>): Revisions {
  const fields = { revision: integrations.revision };
  const byRow = prepareHotRead(
    client,
    fields,
    db
      .select(fields)
      .from(integrations)
      .where(eq(integrations.row, sql.placeholder('row'))),
    ['row'],
  );
  const known = new Map<number, number>();
  const forget = (): void => known.clear();
  writer.onForeignCommit(forget);
  writer.onRollback(forget);

  const raised = { revision: sql`${integrations.revision} + 1` };
  function raiseWhere(where?: SQL): void {
    db.update(integrations).set(raised).where(where).run();
    forget();
    touch();
  }

  return {
    of(row) {
      let revision = known.get(row);
      if (revision === undefined) {
        // Nothing belongs to an integration that is not there.
        revision = byRow.get(row)?.revision ?? -1;
        known.set(row, revision);
      }
      return revision;
    },
    raise: (id) => raiseWhere(eq(integrations.id, id)),
    raiseAll: () => raiseWhere(),
    raiseBound(policyId) {
      const house = db
        .select({ id: housePolicies.policyId })
        .from(housePolicies)
        .where(eq(housePolicies.policyId, policyId))
        .get();
      if (house) return raiseWhere();
      const bound = db
        .select({ id: bindings.integrationId })
        .from(bindings)
        .where(eq(bindings.policyId, policyId));
      raiseWhere(inArray(integrations.id, bound));
    },
  };
}
