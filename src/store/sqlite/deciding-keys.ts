import { and, asc, eq, sql } from 'drizzle-orm';
import type { Sqlite } from './database.ts';
import { bindings, policies } from './tables.ts';

/** Which policy versions are in force, as of the change that asks. Synchronous: it runs inside a change. */
export interface DecidingKeys {
  /** The key of the ACTIVE policies that are bound to the integration (`PolicySetReference`). */
  keyOf(integrationRow: number): string;
}

/**
 * Keys are remembered until this process touches a policy or binding, another one writes, or a transaction is rolled
 * back. So recording an evaluation can refuse one that was decided by other policies than those in force.
 */
export function createDecidingKeys({
  client,
  db,
  writer,
  onTouch,
}: Pick<Sqlite, 'client' | 'db' | 'writer' | 'onTouch'>): DecidingKeys {
  const dataVersion = client.prepare('PRAGMA data_version').pluck();
  const members = db
    .select({ policyId: policies.uid, version: policies.currentVersion })
    .from(bindings)
    .innerJoin(policies, and(eq(policies.id, bindings.policyId), eq(policies.status, 'ACTIVE')))
    .where(eq(bindings.integrationId, sql.placeholder('integrationRow')))
    .orderBy(asc(policies.id))
    .prepare();
  const known = new Map<number, string>();
  let seen = dataVersion.get();
  const forget = (): void => known.clear();
  writer.onBegin(() => {
    const now = dataVersion.get();
    if (now !== seen) forget();
    seen = now;
  });
  writer.onRollback(forget);
  onTouch(forget);

  return {
    keyOf(integrationRow) {
      let key = known.get(integrationRow);
      if (key === undefined) {
        key = members
          .all({ integrationRow })
          .map(({ policyId, version }) => `${policyId}:${version}`)
          .join(',');
        known.set(integrationRow, key);
      }
      return key;
    },
  };
}
