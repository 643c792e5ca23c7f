import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { policyStatuses } from '../../../features/policies/words.ts';
import { policyModes } from '../../../schemas/words.ts';
import { integrations } from './shared.ts';

export const policies = sqliteTable('policies', {
  id: integer().primaryKey(),
  uid: text().notNull().unique(),
  name: text().notNull(),
  status: text({ enum: policyStatuses }).notNull(),
  currentVersion: integer().notNull(),
  latestVersion: integer().notNull(),
  createdAt: integer().notNull(),
  updatedAt: integer().notNull(),
  previousVersion: integer(),
  scheduledVersion: integer(),
  scheduledAt: integer(),
  /** Raised by each change of the policy. */
  revision: integer().notNull().default(1),
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
    note: text(),
  },
  (table) => [primaryKey({ columns: [table.policyId, table.version] })],
);

/** The shared lists that each version reads. */
export const policyVersionLists = sqliteTable(
  'policy_version_lists',
  {
    policyId: integer()
      .notNull()
      .references(() => policies.id),
    version: integer().notNull(),
    name: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.policyId, table.version, table.name] }),
    index('policy_version_lists_by_name').on(table.name),
  ],
);

const terms = () => ({
  /** JSON: values of params. */
  params: text().notNull().default('{}'),
  mode: text({ enum: policyModes }),
  /** Null in old files: as it was created. */
  updatedAt: integer(),
});

/** They decide for every integration. */
export const housePolicies = sqliteTable('house_policies', {
  policyId: integer()
    .primaryKey()
    .references(() => policies.id),
  createdAt: integer().notNull(),
  ...terms(),
});

export const bindings = sqliteTable(
  'bindings',
  {
    integrationId: integer()
      .notNull()
      .references(() => integrations.row),
    policyId: integer()
      .notNull()
      .references(() => policies.id),
    createdAt: integer().notNull(),
    ...terms(),
  },
  (table) => [
    primaryKey({ columns: [table.integrationId, table.policyId] }),
    index('bindings_by_policy').on(table.policyId),
  ],
);

export const policySets = sqliteTable('policy_sets', {
  id: integer().primaryKey(),
  members: text().notNull().unique(),
  /** JSON: the terms by which they decide together (`PolicyTerms`). */
  terms: text().notNull(),
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
