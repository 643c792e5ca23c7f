import type { Columns } from '../../sql/sqlite/columns.ts';
import type { integrationTables } from '../integrations/tables.ts';

export function toolTables(
  { table, uuid, text, time }: Columns,
  { integrations }: Pick<ReturnType<typeof integrationTables>, 'integrations'>,
) {
  const toolCatalogues = table('tool_catalogues', {
    integrationId: uuid()
      .primaryKey()
      .references(() => integrations.id),
    /** A JSON list. */
    tools: text().notNull(),
    updatedAt: time().notNull(),
  });
  return { toolCatalogues };
}
