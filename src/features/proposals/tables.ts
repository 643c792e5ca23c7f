import type { Columns } from '../../sql/sqlite/columns.ts';
import { proposalStatuses, proposedOperations } from './words.ts';

export function proposalTables({ table, text, uuid, time, index }: Columns) {
  const proposals = table(
    'proposals',
    {
      id: uuid().primaryKey(),
      operation: text({ enum: proposedOperations }).notNull(),
      /** JSON: the fields of the operation. */
      change: text().notNull(),
      /** JSON. */
      before: text(),
      note: text(),
      status: text({ enum: proposalStatuses }).notNull(),
      /** Ids of operators. */
      author: text().notNull(),
      decidedBy: text(),
      createdAt: time().notNull(),
      decidedAt: time(),
    },
    (row) => [
      index('proposals_by_status').on(row.status, row.createdAt, row.id),
      index('proposals_by_time').on(row.createdAt, row.id),
    ],
  );
  return { proposals };
}
