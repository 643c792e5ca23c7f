import { and, asc, eq, gt, inArray, isNull, or } from 'drizzle-orm';
import type { GrantOffer, OpenGrant, UsedGrant } from '../../schemas/review-terms.ts';
import { isOpenAt, toOpenGrant, toUsedGrant } from '../reviews.ts';
import type { Db } from './database.ts';
import { grants, grantUses, reviews } from './tables.ts';

// The grants of approvals for later actions. Writes run inside a change that has locked the session.

const isUsable = and(isNull(grants.closedAt), or(isNull(grants.usesLeft), gt(grants.usesLeft, 0)));

/** The grants of these sessions, the earliest first, whether they have expired or not. */
export async function grantsOf(
  db: Db,
  sessionIds: readonly string[],
): Promise<(OpenGrant & { sessionId: string })[]> {
  const rows = await db
    .select({
      id: grants.id,
      sessionId: grants.sessionId,
      reviewRequestId: grants.reviewId,
      tool: reviews.tool,
      offer: grants.offer,
      dataTags: grants.dataTags,
      usesLeft: grants.usesLeft,
      expiresAt: grants.expiresAt,
    })
    .from(grants)
    .innerJoin(reviews, eq(reviews.id, grants.reviewId))
    .where(and(inArray(grants.sessionId, [...sessionIds]), isUsable))
    .orderBy(asc(grants.createdAt), asc(grants.reviewId), asc(grants.place));
  return rows.map(toOpenGrant);
}

/** The grants that let an evaluation through. */
export async function grantsUsedBy(db: Db, evaluationId: string): Promise<UsedGrant[]> {
  const rows = await db
    .select({ id: grants.id, reviewRequestId: grants.reviewId, offer: grants.offer })
    .from(grantUses)
    .innerJoin(grants, eq(grants.id, grantUses.grantId))
    .where(eq(grantUses.evaluationId, evaluationId))
    .orderBy(asc(grants.createdAt), asc(grants.reviewId), asc(grants.place));
  return rows.map(toUsedGrant);
}

export async function giveGrants(
  tx: Db,
  review: { id: string; sessionId: string; dataTags: readonly string[] },
  offers: readonly GrantOffer[],
  at: number,
): Promise<void> {
  if (offers.length === 0) return;
  await tx.insert(grants).values(
    offers.map((offer, place) => ({
      id: offer.id,
      reviewId: review.id,
      sessionId: review.sessionId,
      place,
      offer: JSON.stringify(offer),
      dataTags: JSON.stringify(review.dataTags),
      usesLeft: offer.uses,
      createdAt: at,
      expiresAt: offer.seconds === null ? null : at + offer.seconds * 1_000,
    })),
  );
}

/** Takes back those of the session that are for the same as one of these, and returns their ids. */
export async function takeBackGrants(
  tx: Db,
  sessionId: string,
  offers: readonly GrantOffer[],
  at: number,
): Promise<string[]> {
  if (offers.length === 0) return [];
  const keys = new Set(offers.map(({ key }) => key));
  const same = (await grantsOf(tx, [sessionId])).filter(({ key }) => keys.has(key));
  const ids = same.map(({ id }) => id);
  await closeGrants(tx, ids, at);
  return ids;
}

/** False when it cannot be used any more. */
export async function closeGrant(tx: Db, sessionId: string, id: string, at: number): Promise<boolean> {
  const open = (await grantsOf(tx, [sessionId])).filter(isOpenAt(at));
  const found = open.find((one) => one.id === id.toLowerCase());
  if (!found) return false;
  await closeGrants(tx, [found.id], at);
  return true;
}

async function closeGrants(tx: Db, ids: readonly string[], closedAt: number): Promise<void> {
  if (ids.length === 0) return;
  await tx
    .update(grants)
    .set({ closedAt })
    .where(inArray(grants.id, [...ids]));
}
