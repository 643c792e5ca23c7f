import { eq, sql } from 'drizzle-orm';
import { integrations } from '../../sql/sqlite/tables.ts';
import type { Sqlite } from '../../store/sqlite/database.ts';

/** The integer key of an integration that a caller was already found to be. */
export interface IntegrationRows {
  find(id: string): number;
  /** The id of a row that another row refers to. */
  idOf(row: number): string;
}

/** Rows of `integrations` are never removed and never change their key, so what was once found stays true. */
export function createIntegrationRows({
  steady,
  writer,
}: Pick<Sqlite, 'steady' | 'writer'>): IntegrationRows {
  const byUid = steady
    .select({ id: integrations.row })
    .from(integrations)
    .where(eq(integrations.id, sql.placeholder('id')))
    .prepare();
  const byRow = steady
    .select({ uid: integrations.id })
    .from(integrations)
    .where(eq(integrations.row, sql.placeholder('row')))
    .prepare();
  const known = new Map<string, number>();
  writer.onRollback(() => known.clear());

  return {
    find(id) {
      let row = known.get(id);
      if (row === undefined) {
        row = byUid.get({ id })?.id;
        // Row ids begin at 1: nothing belongs to -1.
        if (row === undefined) return -1;
        known.set(id, row);
      }
      return row;
    },
    idOf(row) {
      const found = byRow.get({ row });
      if (!found) throw new Error(`integration ${row} is referred to and missing`);
      return found.uid;
    },
  };
}
