import { eq, inArray, sql } from 'drizzle-orm';
import { AppError } from '../../errors.ts';
import type { PolicyReference, PolicySetReference } from '../new-evaluations.ts';
import { policiesOfKey } from '../stored-evaluations.ts';
import type { Sqlite } from './database.ts';
import { policies, policySetMembers, policySets } from './tables.ts';

export interface PolicySetRows {
  /** The row of the set, written at its first use. */
  ensure(set: PolicySetReference): number;
  keyOf(row: number): string;
  membersOf(row: number): PolicyReference[];
}

export function createPolicySetRows({
  db,
  steady,
  writer,
}: Pick<Sqlite, 'db' | 'steady' | 'writer'>): PolicySetRows {
  const byKey = steady
    .select({ id: policySets.id })
    .from(policySets)
    .where(eq(policySets.members, sql.placeholder('key')))
    .prepare();
  const byRow = steady
    .select({ key: policySets.members })
    .from(policySets)
    .where(eq(policySets.id, sql.placeholder('row')))
    .prepare();
  const known = new Map<string, number>();
  writer.onRollback(() => known.clear());

  function insert(set: PolicySetReference): number {
    const row = db
      .insert(policySets)
      .values({ members: set.key, terms: JSON.stringify(set.terms) })
      .returning({ id: policySets.id })
      .get().id;
    const uids = set.members.map((member) => member.policyId);
    const rows = uids.length
      ? db
          .select({ id: policies.id, uid: policies.uid })
          .from(policies)
          .where(inArray(policies.uid, uids))
          .all()
      : [];
    if (rows.length !== uids.length) {
      // A policy was deleted between the decision's read and this write: nothing may be decided by what is gone.
      throw new AppError('unavailable', 'the policies changed while deciding', { retryAfterSeconds: 1 });
    }
    for (const { id, uid } of rows) {
      const version = set.members.find((member) => member.policyId === uid)?.version ?? 0;
      db.insert(policySetMembers).values({ policyId: id, version, policySetId: row }).run();
    }
    return row;
  }

  const keyOf = (row: number): string => byRow.get({ row })?.key ?? '';
  return {
    ensure(set) {
      let row = known.get(set.key);
      if (row === undefined) {
        row = byKey.get({ key: set.key })?.id ?? insert(set);
        known.set(set.key, row);
      }
      return row;
    },
    keyOf,
    membersOf: (row) => policiesOfKey(keyOf(row)),
  };
}
