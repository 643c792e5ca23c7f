import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { policies } from '../../../sql/sqlite/tables.ts';

/** The policy versions that decided together. Never changed. */
export const policySets = sqliteTable('policy_sets', {
  id: integer().primaryKey(),
  members: text().notNull().unique(),
  /** JSON: the terms by which they decide together (`PolicyTerms`). */
  terms: text().notNull(),
});

export const policySetMembers = sqliteTable(
  'policy_set_members',
  {
    policyId: text()
      .notNull()
      .references(() => policies.id),
    version: integer().notNull(),
    policySetId: integer()
      .notNull()
      .references(() => policySets.id),
  },
  (table) => [primaryKey({ columns: [table.policyId, table.version, table.policySetId] })],
);
