import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { integrations } from './integrations.ts';

export const policies = sqliteTable('policies', {
  id: integer().primaryKey(),
  uid: text().notNull().unique(),
  name: text().notNull(),
  status: text({ enum: ['DRAFT', 'ACTIVE', 'DEPRECATED'] }).notNull(),
  currentVersion: integer().notNull(),
  latestVersion: integer().notNull(),
  createdAt: integer().notNull(),
  updatedAt: integer().notNull(),
});

export const policyVersions = sqliteTable(
  'policy_versions',
  {
    policyId: integer()
      .notNull()
      .references(() => policies.id),
    version: integer().notNull(),
    name: text().notNull(),
    mediaType: text({ enum: ['application/yaml', 'application/json'] }).notNull(),
    document: text().notNull(),
    /** The id of the operator who wrote it; null in old files. */
    author: text(),
    createdAt: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.policyId, table.version] })],
);

export const bindings = sqliteTable(
  'bindings',
  {
    integrationId: integer()
      .notNull()
      .references(() => integrations.id),
    policyId: integer()
      .notNull()
      .references(() => policies.id),
    createdAt: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.integrationId, table.policyId] }),
    index('bindings_by_policy').on(table.policyId),
  ],
);

export const policySets = sqliteTable('policy_sets', {
  id: integer().primaryKey(),
  members: text().notNull().unique(),
});

export const policySetMembers = sqliteTable(
  'policy_set_members',
  {
    policyId: integer()
      .notNull()
      .references(() => policies.id),
    version: integer().notNull(),
    policySetId: integer()
      .notNull()
      .references(() => policySets.id),
  },
  (table) => [primaryKey({ columns: [table.policyId, table.version, table.policySetId] })],
);
