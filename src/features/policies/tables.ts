import { policyModes } from '../../schemas/words.ts';
import type { Columns } from '../../sql/sqlite/columns.ts';
import type { integrationTables } from '../integrations/tables.ts';
import { policyMediaTypes, policyStatuses } from './words.ts';

export function policyTables(
  { table, text, uuid, integer, time, index, primaryKey }: Columns,
  { integrations }: Pick<ReturnType<typeof integrationTables>, 'integrations'>,
) {
  const policies = table('policies', {
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
  const policy = () =>
    uuid()
      .notNull()
      .references(() => policies.id);

  const policyVersions = table(
    'policy_versions',
    {
      policyId: policy(),
      version: integer().notNull(),
      name: text().notNull(),
      mediaType: text({ enum: policyMediaTypes }).notNull(),
      document: text().notNull(),
      /** The id of the operator who wrote it. */
      author: text(),
      createdAt: time().notNull(),
      note: text(),
    },
    (row) => [primaryKey({ columns: [row.policyId, row.version] })],
  );

  /** The shared lists that each version reads. */
  const policyVersionLists = table(
    'policy_version_lists',
    { policyId: policy(), version: integer().notNull(), name: text().notNull() },
    (row) => [
      primaryKey({ columns: [row.policyId, row.version, row.name] }),
      index('policy_version_lists_by_name').on(row.name),
    ],
  );

  const terms = () => ({
    createdAt: time().notNull(),
    /** JSON: values of params. */
    params: text().notNull().default('{}'),
    mode: text({ enum: policyModes }),
    /** Null: as it was created. */
    updatedAt: time(),
  });

  /** They decide for every integration. */
  const housePolicies = table('house_policies', {
    policyId: uuid()
      .primaryKey()
      .references(() => policies.id),
    ...terms(),
  });

  const bindings = table(
    'bindings',
    {
      integrationId: uuid()
        .notNull()
        .references(() => integrations.id),
      policyId: policy(),
      ...terms(),
    },
    (row) => [
      primaryKey({ columns: [row.integrationId, row.policyId] }),
      index('bindings_by_policy').on(row.policyId),
    ],
  );
  return { policies, policyVersions, policyVersionLists, housePolicies, bindings };
}
