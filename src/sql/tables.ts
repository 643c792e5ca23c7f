import { listTables } from '../features/lists/tables.ts';
import type { operators } from '../store/sqlite/tables/operators.ts';
import type { Columns } from './sqlite/columns.ts';

/** The tables that are declared once for both databases. */
export const declareTables = (columns: Columns) => ({
  ...listTables(columns),
});

/** `operators` is declared by each database. */
export type Tables = ReturnType<typeof declareTables> & { readonly operators: typeof operators };
