import { eq } from 'drizzle-orm';
import type { QueryConfig } from 'pg';
import { sha256 } from '../../record/entries.ts';
import type { Db } from '../../store/postgres/database.ts';
import { policies, policySetMembers } from '../../store/postgres/tables.ts';
import type { PolicySetReference } from '../evaluation.ts';
import { inserting, Rows, WrittenRows } from './rows.ts';

export interface WrittenPolicySet {
  /** SHA-256 of its key. */
  id: string;
  /** SHA-256 of its terms. */
  termsHash: string;
}

/** Hashes by key, and the sets that this process knows to be written. They are never deleted. */
export class KnownPolicySets {
  readonly #sets = new Map<string, WrittenPolicySet>();
  readonly #written = new Set<string>();

  hashesOf({ key, terms }: PolicySetReference): WrittenPolicySet {
    let set = this.#sets.get(key);
    if (!set) {
      set = { id: sha256(key), termsHash: sha256(JSON.stringify(terms)) };
      this.#sets.set(key, set);
    }
    return set;
  }
  isWritten(key: string): boolean {
    return this.#written.has(key);
  }
  setWritten(keys: Iterable<string>): void {
    for (const key of keys) this.#written.add(key);
  }
}

/** The policy sets that decide in a batch, written at their first use. */
export class BatchPolicySets {
  readonly policies = new Rows<{ id: string }>({
    name: 'policies',
    parts: 1,
    text: 'SELECT id::text AS k0, id::text FROM policies WHERE id = ANY($1::uuid[])',
  });
  readonly #known: KnownPolicySets;
  readonly #fresh = new Map<string, PolicySetReference>();

  constructor(known: KnownPolicySets) {
    this.#known = known;
  }

  want(set: PolicySetReference): void {
    if (this.#known.isWritten(set.key)) return;
    for (const { policyId } of set.members) this.policies.want(policyId);
  }

  /** Null when one of its policies was deleted meanwhile: nothing may be decided by what is gone. */
  ensure(set: PolicySetReference): WrittenPolicySet | null {
    if (!this.#known.isWritten(set.key) && !this.#fresh.has(set.key)) {
      if (set.members.some(({ policyId }) => this.policies.one(policyId) === null)) return null;
      this.#fresh.set(set.key, set);
    }
    return this.#known.hashesOf(set);
  }

  get statements(): (QueryConfig | null)[] {
    const sets = new WrittenRows(
      'write policy sets',
      { id: 'text', members: 'text', terms: 'text' },
      inserting('policy_sets', 'ON CONFLICT DO NOTHING'),
    );
    const members = new WrittenRows(
      'write policy set members',
      { policy_id: 'uuid', version: 'int', policy_set_id: 'text' },
      inserting('policy_set_members', 'ON CONFLICT DO NOTHING'),
    );
    // In order of their ids: another batch that writes the same waits for this one, and not both for each other.
    const ordered = [...this.#fresh.values()].map((set) => ({ id: this.#known.hashesOf(set).id, ...set }));
    for (const { id, key, terms, members: of } of ordered.sort((left, right) =>
      left.id < right.id ? -1 : 1,
    )) {
      sets.add({ id, members: key, terms: JSON.stringify(terms) });
      for (const { policyId, version } of of)
        members.add({ policy_id: policyId, version, policy_set_id: id });
    }
    return [sets.statement, members.statement];
  }

  committed(): void {
    this.#known.setWritten(this.#fresh.keys());
  }
}

/** Whether the policy took part in a decision. */
export async function hasDecided(tx: Db, policyId: string): Promise<boolean> {
  // Waits for evaluations that are being recorded with a new set of policies: each of its members refers to its policy.
  await tx.select({ id: policies.id }).from(policies).where(eq(policies.id, policyId)).for('update');
  const member = await tx
    .select({ id: policySetMembers.policySetId })
    .from(policySetMembers)
    .where(eq(policySetMembers.policyId, policyId))
    .limit(1);
  return member.length > 0;
}
