import { eq } from 'drizzle-orm';
import { integrationChain } from '../../record/chains.ts';
import type { Db } from './database.ts';
import { lockChain, lockSessions } from './locks.ts';
import { reviews } from './tables.ts';

/** Whose review it is: what never changes of it. */
export interface ReviewOwner {
  integrationId: string;
  sessionId: string | null;
}

/**
 * Locks a review, after what an evaluation locks before it: its session, or the chain of its integration. What is read of it
 * afterwards stays until the end of the change. Null when there is no such review.
 */
export async function lockReview(tx: Db, id: string): Promise<ReviewOwner | null> {
  const owner = await findOwner(tx, id);
  if (!owner) return null;
  const { sessionId, integrationId } = owner;
  if (sessionId === null) await lockChain(tx, integrationChain(integrationId));
  else await lockSessions(tx, [sessionId]);
  await lockReviewRow(tx, id);
  return owner;
}

export async function findOwner(db: Db, id: string): Promise<ReviewOwner | null> {
  const [owner] = await db
    .select({ integrationId: reviews.integrationId, sessionId: reviews.sessionId })
    .from(reviews)
    .where(eq(reviews.id, id));
  return owner ?? null;
}

/** The last one of the locks of a review. */
export const lockReviewRow = (tx: Db, id: string): Promise<unknown> =>
  tx.select({ id: reviews.id }).from(reviews).where(eq(reviews.id, id)).for('update');
