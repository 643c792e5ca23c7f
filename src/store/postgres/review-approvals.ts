import { eq } from 'drizzle-orm';
import { parseList } from '../parse-list.ts';
import type { GivenApproval } from '../review-approvals.ts';
import type { Db } from './database.ts';
import { reviewApprovals } from './tables.ts';

export async function approvalsOf(db: Db, reviewId: string): Promise<GivenApproval[]> {
  const rows = await db.select().from(reviewApprovals).where(eq(reviewApprovals.reviewId, reviewId));
  return rows.map(({ operatorId, groups, findings, once }) => ({
    operatorId,
    groups: parseList(groups),
    findings,
    once,
  }));
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
