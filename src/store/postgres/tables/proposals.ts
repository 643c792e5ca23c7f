import { index, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import type { ProposalStatus, ProposedOperation } from '../../../schemas/proposal-words.ts';
import { time } from './columns.ts';

export const proposals = pgTable(
  'proposals',
  {
    id: uuid().primaryKey(),
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
    createdAt: time().notNull(),
    decidedAt: time(),
  },
  (table) => [
    index('proposals_by_status').on(table.status, table.createdAt, table.id),
    index('proposals_by_time').on(table.createdAt, table.id),
  ],
);
