import { entityTables } from '../features/entities/tables.ts';
import { integrationTables } from '../features/integrations/tables.ts';
import { listTables } from '../features/lists/tables.ts';
import { operatorTables } from '../features/operators/tables.ts';
import { policyTables } from '../features/policies/tables.ts';
import { proposalTables } from '../features/proposals/tables.ts';
import { signInTables } from '../features/sign-in/tables.ts';
import { toolTables } from '../features/tools/tables.ts';
import { webhookTables } from '../features/webhooks/tables.ts';
import type { Columns } from './sqlite/columns.ts';

/** The tables that are declared once for both databases. */
export function declareTables(columns: Columns) {
  const integrations = integrationTables(columns);
  return {
    ...entityTables(columns),
    ...integrations,
    ...listTables(columns),
    ...operatorTables(columns),
    ...policyTables(columns, integrations),
    ...proposalTables(columns),
    ...signInTables(columns),
    ...toolTables(columns, integrations),
    ...webhookTables(columns),
  };
}

export type Tables = ReturnType<typeof declareTables>;
