import { asPostgresTable, postgresColumns } from '../../../sql/postgres/columns.ts';
import { declareReferredTables } from '../../../sql/referred-tables.ts';
import { declareTables } from '../../../sql/tables.ts';

const shared = declareTables(postgresColumns, declareReferredTables(postgresColumns));
export const {
  entities,
  lists,
  listChanges,
  mcpServers,
  operatorKeys,
  policyVersionLists,
  proposals,
  recordKeys,
  recordLeaves,
  recordNodes,
  recordRoots,
  signIns,
  signInLinks,
} = shared;
export const integrations = asPostgresTable(shared.integrations);
export const integrationKeys = asPostgresTable(shared.integrationKeys);
export const operators = asPostgresTable(shared.operators);
export const toolCatalogues = asPostgresTable(shared.toolCatalogues);
export const recordHeads = asPostgresTable(shared.recordHeads);
export const webhooks = asPostgresTable(shared.webhooks);
export const policies = asPostgresTable(shared.policies);
export const policyVersions = asPostgresTable(shared.policyVersions);
export const housePolicies = asPostgresTable(shared.housePolicies);
export const bindings = asPostgresTable(shared.bindings);
