import { asPostgresTable, postgresColumns } from '../../../sql/postgres/columns.ts';
import { declareTables } from '../../../sql/tables.ts';

const shared = declareTables(postgresColumns);
export const { entities, lists, listChanges, operatorKeys, proposals } = shared;
export const operators = asPostgresTable(shared.operators);
export const webhooks = asPostgresTable(shared.webhooks);
