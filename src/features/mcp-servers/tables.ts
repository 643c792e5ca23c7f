import type { Columns } from '../../sql/sqlite/columns.ts';
import { toolListings } from './words.ts';

export function mcpServerTables({ table, text, uuid, integer, time, flag }: Columns) {
  const mcpServers = table('mcp_servers', {
    id: uuid().primaryKey(),
    name: text().notNull().unique(),
    url: text().notNull(),
    /** A JSON list, sealed; null for none. */
    headers: text(),
    /** A JSON list. */
    integrationIds: text().notNull(),
    forwardsAuthorization: flag().notNull(),
    toolList: text({ enum: toolListings }).notNull(),
    holdSeconds: integer().notNull(),
    masks: flag().notNull(),
    timeoutSeconds: integer().notNull(),
    createdAt: time().notNull(),
    updatedAt: time().notNull(),
  });
  return { mcpServers };
}
