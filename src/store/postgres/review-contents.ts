import { and, asc, eq, isNotNull, lte } from 'drizzle-orm';
import type { WholeContent } from '../reviews.ts';
import type { Db } from './database.ts';
import { reviewContents } from './tables.ts';

// Content that is stored only as long as a reviewer or a callback needs it. What writes runs inside a change that has locked the
// review.

const { input, targetKey, targetMetadata, isMasked, rejectionCounts, forgetAt } = reviewContents;

export async function findContent(
  db: Db,
  reviewId: string,
): Promise<(WholeContent & { rejectionCounts: string | null }) | null> {
  const [found] = await db
    .select({ input, targetKey, targetMetadata, isMasked, rejectionCounts })
    .from(reviewContents)
    .where(eq(reviewContents.reviewId, reviewId));
  return found ?? null;
}

/** Deletes what only the reviewer needed; the callback URL stays when there is a callback to deliver. */
export async function settleContent(tx: Db, reviewId: string, hasCallback: boolean): Promise<void> {
  if (!hasCallback) return forgetContent(tx, reviewId);
  await tx
    .update(reviewContents)
    .set({ input: null, targetKey: null, targetMetadata: null, rejectionCounts: null, forgetAt: null })
    .where(eq(reviewContents.reviewId, reviewId));
}

/** Deletes all of it. */
export async function forgetContent(tx: Db, reviewId: string): Promise<void> {
  await tx.delete(reviewContents).where(eq(reviewContents.reviewId, reviewId));
}

/** Ids of some reviews that have expired at `now` and still have content, the first expired first. */
export async function listExpired(db: Db, now: number, most: number): Promise<string[]> {
  const rows = await db
    .select({ id: reviewContents.reviewId })
    .from(reviewContents)
    .where(and(isNotNull(forgetAt), lte(forgetAt, now)))
    .orderBy(asc(forgetAt), asc(reviewContents.reviewId))
    .limit(most);
  return rows.map(({ id }) => id);
}
