import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { ProposalStatus, ProposedOperation } from '../../../schemas/proposal-words.ts';

export const proposals = sqliteTable(
  'proposals',
  {
    id: integer().primaryKey(),
    uid: text().notNull().unique(),
    operation: text().$type<ProposedOperation>().notNull(),
    /** JSON: what the operation takes. */
    change: text().notNull(),
    /** JSON. */
    before: text(),
    note: text(),
    status: text().$type<ProposalStatus>().notNull(),
    /** Ids of operators. */
    author: text().notNull(),
    decidedBy: text(),
    createdAt: integer().notNull(),
    decidedAt: integer(),
  },
  (table) => [index('proposals_by_status').on(table.status)],
);
