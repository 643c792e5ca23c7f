import { and, count, desc, eq } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { offsetOf } from '../pages.ts';
import type { ProposalStore, StoredProposal } from '../proposals.ts';
import type { Sqlite } from './database.ts';
import { operators, proposals } from './tables.ts';

const { uid, status } = proposals;
const decider = alias(operators, 'decider');
const columns = {
  id: uid,
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

export function createProposals({ db, writer, read }: Sqlite): ProposalStore {
  const find = (id: string): StoredProposal | null =>
    db
      .select({ ...columns, ...wide })
      .from(proposals)
      .leftJoin(operators, eq(operators.id, proposals.author))
      .leftJoin(decider, eq(decider.id, proposals.decidedBy))
      .where(eq(uid, id.toLowerCase()))
      .get() ?? null;
  const totalOf = (wanted: StoredProposal['status'] | undefined): number =>
    db
      .select({ total: count() })
      .from(proposals)
      .where(wanted && eq(status, wanted))
      .get()?.total ?? 0;

  return {
    create: ({ id, ...proposal }, most) =>
      writer.run(() => {
        if (totalOf('PENDING') >= most) return null;
        db.insert(proposals)
          .values({ ...proposal, uid: id, status: 'PENDING' })
          .run();
        return find(id);
      }),

    find: (id) => read(() => find(id)),

    list: (page, { status: wanted }) =>
      read(() => ({
        items: db
          .select(columns)
          .from(proposals)
          .leftJoin(operators, eq(operators.id, proposals.author))
          .leftJoin(decider, eq(decider.id, proposals.decidedBy))
          .where(wanted && eq(status, wanted))
          .orderBy(desc(proposals.id))
          .limit(page.size)
          .offset(offsetOf(page))
          .all(),
        total: totalOf(wanted),
      })),

    decide: (id, decided, { at, operator }) =>
      writer.run(() => {
        const { changes } = db
          .update(proposals)
          .set({ status: decided, decidedBy: operator, decidedAt: at })
          .where(and(eq(uid, id.toLowerCase()), eq(status, 'PENDING')))
          .run();
        return changes === 0 ? null : find(id);
      }),
  };
}
