import { and, desc, eq } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { isOperator } from '../../sql/postgres/sql.ts';
import { offsetOf } from '../pages.ts';
import type { ProposalStore, StoredProposal } from '../proposals.ts';
import type { Db, Postgres } from './database.ts';
import { totalOf } from './pages.ts';
import { operators, proposals } from './tables.ts';

const { id: ofId, status } = proposals;
const decider = alias(operators, 'decider');
const columns = {
  id: ofId,
  operation: proposals.operation,
  status,
  note: proposals.note,
  author: proposals.author,
  authorName: operators.name,
  decidedBy: proposals.decidedBy,
  deciderName: decider.name,
  createdAt: proposals.createdAt,
  decidedAt: proposals.decidedAt,
};
const wide = { change: proposals.change, before: proposals.before };

export const createProposals = ({ read, change }: Postgres): ProposalStore => ({
  create: (proposal, most) =>
    change(async (tx) => {
      if ((await totalOf(tx, proposals, eq(status, 'PENDING'))) >= most) return null;
      await tx.insert(proposals).values({ ...proposal, status: 'PENDING' });
      return find(tx, proposal.id);
    }),

  find: (id) => read((db) => find(db, id)),

  list: (page, { status: wanted }) =>
    read(async (db) => {
      const where = wanted && eq(status, wanted);
      const items = await db
        .select(columns)
        .from(proposals)
        .leftJoin(operators, isOperator(operators, proposals.author))
        .leftJoin(decider, isOperator(decider, proposals.decidedBy))
        .where(where)
        .orderBy(desc(proposals.createdAt), desc(ofId))
        .limit(page.size)
        .offset(offsetOf(page));
      return { items, total: await totalOf(db, proposals, where) };
    }),

  decide: (id, decided, { at, operator }) =>
    change(async (tx) => {
      const { rowCount } = await tx
        .update(proposals)
        .set({ status: decided, decidedBy: operator, decidedAt: at })
        .where(and(eq(ofId, id), eq(status, 'PENDING')));
      return rowCount === 0 ? null : find(tx, id);
    }),
});

async function find(db: Db, id: string): Promise<StoredProposal | null> {
  const [row] = await db
    .select({ ...columns, ...wide })
    .from(proposals)
    .leftJoin(operators, isOperator(operators, proposals.author))
    .leftJoin(decider, isOperator(decider, proposals.decidedBy))
    .where(eq(ofId, id));
  return row ?? null;
}
