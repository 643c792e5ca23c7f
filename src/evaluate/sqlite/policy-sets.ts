import { eq, inArray, sql } from 'drizzle-orm';
import { AppError } from '../../errors.ts';
import { sha256 } from '../../record/entries.ts';
import { policies } from '../../sql/sqlite/tables.ts';
import { policiesOfKey } from '../../store/evaluations.ts';
import type { Sqlite } from '../../store/sqlite/database.ts';
import { policySetMembers, policySets } from '../../store/sqlite/tables/evaluations.ts';
import type { PolicyReference, PolicySetReference } from '../evaluation.ts';

export interface WrittenPolicySet {
  row: number;
  /** SHA-256 of its terms. */
  termsHash: string;
}

export interface PolicySetRows {
  /** The row of the set, written at its first use. */
  ensure(set: PolicySetReference): WrittenPolicySet;
  find(row: number): { key: string; terms: string };
  membersOf(row: number): PolicyReference[];
  /** Whether the policy is a member of any: it took part in a decision. */
  hasMember(policyId: string): boolean;
}

export function createPolicySetRows({
  db,
  steady,
  writer,
}: Pick<Sqlite, 'db' | 'steady' | 'writer'>): PolicySetRows {
  const byKey = steady
    .select({ id: policySets.id, terms: policySets.terms })
    .from(policySets)
    .where(eq(policySets.members, sql.placeholder('key')))
    .prepare();
  const byRow = steady
    .select({ key: policySets.members, terms: policySets.terms })
    .from(policySets)
    .where(eq(policySets.id, sql.placeholder('row')))
    .prepare();
  const known = new Map<string, WrittenPolicySet>();
  writer.onRollback(() => known.clear());

  function insert(set: PolicySetReference): number {
    const row = db
      .insert(policySets)
      .values({ members: set.key, terms: JSON.stringify(set.terms) })
      .returning({ id: policySets.id })
      .get().id;
    const ids = set.members.map((member) => member.policyId);
    const there = ids.length
      ? db.select({ id: policies.id }).from(policies).where(inArray(policies.id, ids)).all()
      : [];
    if (there.length !== ids.length) {
      // A policy was deleted between the decision's read and this write: nothing may be decided by what is gone.
      throw new AppError('unavailable', 'the policies changed while deciding', { retryAfterSeconds: 1 });
    }
    for (const { policyId, version } of set.members)
      db.insert(policySetMembers).values({ policyId, version, policySetId: row }).run();
    return row;
  }

  function write(set: PolicySetReference): WrittenPolicySet {
    const found = byKey.get({ key: set.key });
    return { row: found?.id ?? insert(set), termsHash: sha256(found?.terms ?? JSON.stringify(set.terms)) };
  }

  const find = (row: number) => byRow.get({ row }) ?? { key: '', terms: '' };
  return {
    ensure(set) {
      let written = known.get(set.key);
      if (!written) {
        written = write(set);
        known.set(set.key, written);
      }
      return written;
    },
    find,
    membersOf: (row) => policiesOfKey(find(row).key),
    hasMember: (policyId) =>
      db
        .select({ row: policySetMembers.policySetId })
        .from(policySetMembers)
        .where(eq(policySetMembers.policyId, policyId))
        .limit(1)
        .get() !== undefined,
  };
}
