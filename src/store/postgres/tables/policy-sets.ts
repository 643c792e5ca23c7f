import { index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { policies } from './shared.ts';

/** The policy versions that decided together. Never changed, and found by a hash: their key may be longer than an index takes. */
export const policySets = pgTable('policy_sets', {
  /** SHA-256 of `members`, in hexadecimal. */
  id: text().primaryKey(),
  members: text().notNull(),
  /** JSON: the terms by which they decide together (`PolicyTerms`). */
  terms: text().notNull(),
});

export const policySetMembers = pgTable(
  'policy_set_members',
  {
    /** One that has decided is never deleted. */
    policyId: uuid()
      .notNull()
      .references(() => policies.id),
    version: integer().notNull(),
    policySetId: text()
      .notNull()
      .references(() => policySets.id),
  },
  (table) => [
    primaryKey({ columns: [table.policyId, table.version, table.policySetId] }),
    index('policy_set_members_by_set').on(table.policySetId),
  ],
);
