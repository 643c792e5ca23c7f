import { sqliteColumns } from '../../../sql/sqlite/columns.ts';
import { referred } from '../../../sql/sqlite/tables.ts';
import { declareTables } from '../../../sql/tables.ts';

export const {
  entities,
  lists,
  listChanges,
  mcpServers,
  operators,
  operatorKeys,
  proposals,
  recordHeads,
  recordKeys,
  recordLeaves,
  recordNodes,
  recordRoots,
  signIns,
  signInLinks,
  toolCatalogues,
  webhooks,
} = declareTables(sqliteColumns, referred);
