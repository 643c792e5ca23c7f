import { and, eq } from 'drizzle-orm';
import { isOperator } from '../../sql/postgres/sql.ts';
import { parseList } from '../parse-list.ts';
import type { GivenApproval } from '../review-approvals.ts';
import type { Db } from './database.ts';
import { operators, reviewApprovals } from './tables.ts';

/** Of operators who are still ACTIVE: a DISABLED one may be an attacker. */
export async function approvalsOf(db: Db, reviewId: string): Promise<GivenApproval[]> {
  const rows = await db
    .select({
      operatorId: reviewApprovals.operatorId,
      entityId: operators.entityId,
      groups: reviewApprovals.groups,
      findings: reviewApprovals.findings,
      once: reviewApprovals.once,
    })
    .from(reviewApprovals)
    .innerJoin(operators, isOperator(operators, reviewApprovals.operatorId))
    .where(and(eq(reviewApprovals.reviewId, reviewId), eq(operators.status, 'ACTIVE')));
  return rows.map(({ groups, ...approval }) => ({ ...approval, groups: parseList(groups) }));
}

/** In place of one that the operator gave to other findings. */
export async function addApproval(
  tx: Db,
  reviewId: string,
  { operatorId, groups, findings, once }: GivenApproval,
  comment: string | null,
  createdAt: number,
): Promise<void> {
  const given = { groups: JSON.stringify(groups), findings, comment, createdAt, once };
  await tx
    .insert(reviewApprovals)
    .values({ reviewId, operatorId, ...given })
    .onConflictDoUpdate({ target: [reviewApprovals.reviewId, reviewApprovals.operatorId], set: given });
}
