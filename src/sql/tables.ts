import { entityTables } from '../features/entities/tables.ts';
import { listTables } from '../features/lists/tables.ts';
import { mcpServerTables } from '../features/mcp-servers/tables.ts';
import { operatorTables } from '../features/operators/tables.ts';
import { proposalTables } from '../features/proposals/tables.ts';
import { recordTables } from '../features/record/tables.ts';
import { signInTables } from '../features/sign-in/tables.ts';
import { toolTables } from '../features/tools/tables.ts';
import { webhookTables } from '../features/webhooks/tables.ts';
import type { declareReferredTables } from './referred-tables.ts';
import type { Columns } from './sqlite/columns.ts';

/** The tables that are declared once for both databases. `referred`: of the same database. */
export function declareTables(columns: Columns, referred: ReturnType<typeof declareReferredTables>) {
  return {
    ...referred,
    ...entityTables(columns),
    ...listTables(columns),
    ...mcpServerTables(columns),
    ...operatorTables(columns),
    ...proposalTables(columns),
    ...recordTables(columns),
    ...signInTables(columns),
    ...toolTables(columns, referred),
    ...webhookTables(columns),
  };
}

export type Tables = ReturnType<typeof declareTables>;
