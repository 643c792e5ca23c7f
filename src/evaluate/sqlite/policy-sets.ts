import { eq, inArray, sql } from 'drizzle-orm';
import { AppError } from '../../errors.ts';
import { sha256 } from '../../record/entries.ts';
import type { Sqlite } from '../../store/sqlite/database.ts';
import { policies, policySetMembers, policySets } from '../../store/sqlite/tables.ts';
import { policiesOfKey } from '../../store/stored-evaluations.ts';
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
  };
}
