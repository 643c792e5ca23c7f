import { and, eq } from 'drizzle-orm';
import { parseList } from '../parse-list.ts';
import type { GivenApproval } from '../review-approvals.ts';
import type { Sqlite } from './database.ts';
import { operators, reviewApprovals } from './tables.ts';

/** The approvals of reviews. Synchronous: it runs inside a change. */
export interface ReviewApprovals {
  /** Of operators who are still ACTIVE: a DISABLED one may be an attacker. */
  of(reviewRow: number): GivenApproval[];
  /** In place of one that the operator gave to other findings. */
  add(reviewRow: number, approval: GivenApproval, comment: string | null, createdAt: number): void;
}

export const createReviewApprovals = ({ db }: Pick<Sqlite, 'db'>): ReviewApprovals => ({
  of: (reviewRow) =>
    db
      .select({
        operatorId: reviewApprovals.operatorId,
        entityId: operators.entityId,
        groups: reviewApprovals.groups,
        findings: reviewApprovals.findings,
        once: reviewApprovals.once,
      })
      .from(reviewApprovals)
      .innerJoin(operators, eq(operators.id, reviewApprovals.operatorId))
      .where(and(eq(reviewApprovals.reviewId, reviewRow), eq(operators.status, 'ACTIVE')))
      .all()
      .map(({ groups, once, ...approval }) => ({
        ...approval,
        groups: parseList(groups),
        once: once !== 0,
      })),

  add(reviewId, { operatorId, groups, findings, once }, comment, createdAt) {
    const given = { groups: JSON.stringify(groups), findings, comment, createdAt, once: once ? 1 : 0 };
    db.insert(reviewApprovals)
      .values({ reviewId, operatorId, ...given })
      .onConflictDoUpdate({ target: [reviewApprovals.reviewId, reviewApprovals.operatorId], set: given })
      .run();
  },
});
