import type { Columns } from '../../sql/sqlite/columns.ts';
import { entityKinds } from './words.ts';

export function entityTables({ table, text, uuid, time, index }: Columns) {
  /** Registered entities. Sessions name an entity whether it is registered or not. */
  const entities = table(
    'entities',
    {
      id: uuid().primaryKey(),
      name: text().notNull(),
      kind: text({ enum: entityKinds }).notNull(),
      owner: text(),
      /** JSON. */
      metadata: text().notNull(),
      createdAt: time().notNull(),
      updatedAt: time().notNull(),
    },
    (row) => [
      index('entities_by_time').on(row.createdAt, row.id),
      index('entities_by_kind').on(row.kind, row.createdAt, row.id),
      index('entities_by_owner').on(row.owner, row.createdAt, row.id),
    ],
  );
  return { entities };
}
