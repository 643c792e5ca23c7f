import { sql } from 'drizzle-orm';
import { index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { policyStatuses } from '../../../features/policies/words.ts';
import { policyModes } from '../../../schemas/words.ts';
import { time } from './columns.ts';
import { integrations } from './shared.ts';

export const policies = pgTable('policies', {
  id: uuid().primaryKey(),
  name: text().notNull(),
  status: text({ enum: policyStatuses }).notNull(),
  currentVersion: integer().notNull(),
  latestVersion: integer().notNull(),
  createdAt: time().notNull(),
  updatedAt: time().notNull(),
  previousVersion: integer(),
  scheduledVersion: integer(),
  scheduledAt: time(),
  /** Raised by each change of the policy. */
  revision: integer().notNull().default(1),
});

export const policyVersions = pgTable(
  'policy_versions',
  {
    policyId: uuid()
      .notNull()
      .references(() => policies.id),
    version: integer().notNull(),
    name: text().notNull(),
    mediaType: text({ enum: ['application/yaml', 'application/json'] }).notNull(),
    document: text().notNull(),
    /** The id of the operator who wrote it. */
    author: text(),
    createdAt: time().notNull(),
    note: text(),
  },
  (table) => [primaryKey({ columns: [table.policyId, table.version] })],
);

/** The shared lists that each version reads. */
export const policyVersionLists = pgTable(
  'policy_version_lists',
  {
    policyId: uuid()
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
  params: text().notNull().default(sql`'{}'`),
  mode: text({ enum: policyModes }),
  /** Null: as it was created. */
  updatedAt: time(),
});

/** They decide for every integration. */
export const housePolicies = pgTable('house_policies', {
  policyId: uuid()
    .primaryKey()
    .references(() => policies.id),
  createdAt: time().notNull(),
  ...terms(),
});

export const bindings = pgTable(
  'bindings',
  {
    integrationId: uuid()
      .notNull()
      .references(() => integrations.id),
    policyId: uuid()
      .notNull()
      .references(() => policies.id),
    createdAt: time().notNull(),
    ...terms(),
  },
  (table) => [
    primaryKey({ columns: [table.integrationId, table.policyId] }),
    index('bindings_by_policy').on(table.policyId),
  ],
);
