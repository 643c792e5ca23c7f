import { integrationTables } from '../features/integrations/tables.ts';
import { policyTables } from '../features/policies/tables.ts';
import type { Columns } from './sqlite/columns.ts';

/** The shared tables that evaluations refer to, apart from those of management, which the hot path does not load. */
export function declareReferredTables(columns: Columns) {
  const integrations = integrationTables(columns);
  return { ...integrations, ...policyTables(columns, integrations) };
}
