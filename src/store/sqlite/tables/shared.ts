import { sqliteColumns } from '../../../sql/sqlite/columns.ts';
import { declareTables } from '../../../sql/tables.ts';

export const { entities, lists, listChanges, operators, operatorKeys, proposals, webhooks } =
  declareTables(sqliteColumns);
