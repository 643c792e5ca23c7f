import { entityTables } from '../features/entities/tables.ts';
import { listTables } from '../features/lists/tables.ts';
import { operatorTables } from '../features/operators/tables.ts';
import { proposalTables } from '../features/proposals/tables.ts';
import { webhookTables } from '../features/webhooks/tables.ts';
import type { Columns } from './sqlite/columns.ts';

/** The tables that are declared once for both databases. */
export const declareTables = (columns: Columns) => ({
  ...entityTables(columns),
  ...listTables(columns),
  ...operatorTables(columns),
  ...proposalTables(columns),
  ...webhookTables(columns),
});

export type Tables = ReturnType<typeof declareTables>;
