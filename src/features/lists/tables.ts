import type { Columns } from '../../sql/sqlite/columns.ts';
import { listKinds } from './words.ts';

export function listTables({ table, text, uuid, integer, time, primaryKey }: Columns) {
  const lists = table('lists', {
    id: uuid().primaryKey(),
    name: text().notNull().unique(),
    kind: text({ enum: listKinds }).notNull(),
    description: text(),
    version: integer().notNull(),
    /** A JSON list. */
    entries: text().notNull(),
    entryCount: integer().notNull(),
    createdAt: time().notNull(),
    updatedAt: time().notNull(),
  });
  /** Kept when the list is deleted. */
  const listChanges = table(
    'list_changes',
    {
      listId: uuid().notNull(),
      version: integer().notNull(),
      /** The id of the operator. */
      author: text(),
      note: text(),
      /** JSON lists. */
      added: text().notNull(),
      removed: text().notNull(),
      createdAt: time().notNull(),
    },
    (row) => [primaryKey({ columns: [row.listId, row.version] })],
  );
  return { lists, listChanges };
}
