import { sqliteColumns } from '../../../sql/sqlite/columns.ts';
import { declareTables } from '../../../sql/tables.ts';

export const {
  entities,
  integrations,
  integrationKeys,
  lists,
  listChanges,
  operators,
  operatorKeys,
  proposals,
  signIns,
  signInLinks,
  toolCatalogues,
  webhooks,
} = declareTables(sqliteColumns);
