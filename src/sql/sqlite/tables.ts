import { declareReferredTables } from '../referred-tables.ts';
import { sqliteColumns } from './columns.ts';

export const referred = declareReferredTables(sqliteColumns);
export const {
  bindings,
  housePolicies,
  integrations,
  integrationKeys,
  policies,
  policyVersionLists,
  policyVersions,
} = referred;
