import { eq, inArray, type SQL, sql } from 'drizzle-orm';
import { afterCommit, type Db, type Postgres } from './database.ts';
import { changesChannel } from './listener.ts';
import { bindings, housePolicies, integrations } from './tables.ts';

/** How often what decides for an integration has changed: raised in the transaction of the change. */
export interface Revisions {
  raise(tx: Db, integrationId: string): Promise<void>;
  /** Raises the revision of every integration that the policy decides for: all of them for a house policy. */
  raiseBound(tx: Db, policyId: string): Promise<void>;
  raiseAll(tx: Db): Promise<void>;
}

export function createRevisions({ touch }: Pick<Postgres, 'touch'>): Revisions {
  const raised = { revision: sql`${integrations.revision} + 1` };
  async function raiseWhere(tx: Db, where?: SQL): Promise<void> {
    await tx.update(integrations).set(raised).where(where);
    await tx.execute(sql`SELECT pg_notify(${changesChannel}, '')`);
    afterCommit(tx, touch);
  }

  return {
    raise: (tx, id) => raiseWhere(tx, eq(integrations.id, id)),
    raiseAll: (tx) => raiseWhere(tx),
    async raiseBound(tx, policyId) {
      const house = await tx.select().from(housePolicies).where(eq(housePolicies.policyId, policyId));
      if (house.length > 0) return raiseWhere(tx);
      const bound = tx
        .select({ id: bindings.integrationId })
        .from(bindings)
        .where(eq(bindings.policyId, policyId));
      return raiseWhere(tx, inArray(integrations.id, bound));
    },
  };
}
