import { and, desc, eq, getTableColumns } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { all, type Db, first, run, type Sql, type Step, totalOf } from '../../sql/steps.ts';
import { offsetOf, type Page, type PageRequest } from '../../store/pages.ts';
import type { ProposalStatus, ProposedOperation } from './words.ts';

export interface NewProposal {
  id: string;
  operation: ProposedOperation;
  /** JSON text of the fields of the operation. */
  change: string;
  /** JSON text of its subject as it was then; null when it did not exist. */
  before: string | null;
  note: string | null;
  /** The id of the operator. */
  author: string;
  createdAt: number;
}

export interface StoredProposal extends NewProposal {
  status: ProposalStatus;
  /** Null for an id that no operator has. */
  authorName: string | null;
  decidedBy: string | null;
  deciderName: string | null;
  decidedAt: number | null;
}

export type ListedProposal = Omit<StoredProposal, 'change' | 'before'>;

/** Changes that wait for a second operator. They are never deleted. */
export interface ProposalStore {
  /** Null when there are `most` PENDING ones already. */
  create(proposal: NewProposal, most: number): Promise<StoredProposal | null>;
  find(id: string): Promise<StoredProposal | null>;
  /** Newest first. */
  list(page: PageRequest, filter: { status?: ProposalStatus }): Promise<Page<ListedProposal>>;
  /** Null when there is none, or it is not PENDING any more. */
  decide(
    id: string,
    status: 'ACTIVATED' | 'REJECTED',
    by: { at: number; operator: string },
  ): Promise<StoredProposal | null>;
}

export function createProposalStore(sql: Sql): ProposalStore {
  const { proposals, operators } = sql.tables;
  const decider = alias(operators, 'decider');
  const { change, before, ...plain } = getTableColumns(proposals);
  const columns = { ...plain, authorName: operators.name, deciderName: decider.name };

  function* find(db: Db, id: string): Step<StoredProposal | null> {
    return yield* first(
      db
        .select({ ...columns, change, before })
        .from(proposals)
        .leftJoin(operators, sql.isOperator(proposals.author))
        .leftJoin(decider, sql.isOperator(proposals.decidedBy, decider))
        .where(eq(proposals.id, id.toLowerCase())),
    );
  }

  return {
    create: (proposal, most) =>
      sql.change(function* (db) {
        if ((yield* totalOf(db, proposals, eq(proposals.status, 'PENDING'))) >= most) return null;
        yield* run(db.insert(proposals).values({ ...proposal, status: 'PENDING' }));
        return yield* find(db, proposal.id);
      }),

    find: (id) => sql.read((db) => find(db, id)),

    list: (page, { status }) =>
      sql.read(function* (db) {
        const where = status && eq(proposals.status, status);
        const items = yield* all(
          db
            .select(columns)
            .from(proposals)
            .leftJoin(operators, sql.isOperator(proposals.author))
            .leftJoin(decider, sql.isOperator(proposals.decidedBy, decider))
            .where(where)
            .orderBy(desc(proposals.createdAt), desc(proposals.id))
            .limit(page.size)
            .offset(offsetOf(page)),
        );
        return { items, total: yield* totalOf(db, proposals, where) };
      }),

    decide: (id, status, { at, operator }) =>
      sql.change(function* (db) {
        const decided = yield* first(
          db
            .update(proposals)
            .set({ status, decidedBy: operator, decidedAt: at })
            .where(and(eq(proposals.id, id.toLowerCase()), eq(proposals.status, 'PENDING')))
            .returning({ id: proposals.id }),
        );
        return decided && (yield* find(db, decided.id));
      }),
  };
}
