import { sqliteColumns } from '../../../sql/sqlite/columns.ts';
import { declareTables } from '../../../sql/tables.ts';

export const {
  bindings,
  entities,
  housePolicies,
  integrations,
  integrationKeys,
  lists,
  listChanges,
  operators,
  operatorKeys,
  policies,
  policyVersionLists,
  policyVersions,
  proposals,
  signIns,
  signInLinks,
  toolCatalogues,
  webhooks,
} = declareTables(sqliteColumns);
