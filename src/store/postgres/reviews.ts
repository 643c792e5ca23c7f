import { desc, eq } from 'drizzle-orm';
import { namesIn } from '../listed-columns.ts';
import { offsetOf } from '../pages.ts';
import type { ReviewCancelling, ReviewStore, StoredReview } from '../reviews.ts';
import { toStoredReview } from '../stored-reviews.ts';
import type { Db, Postgres } from './database.ts';
import type { EventLog } from './events.ts';
import { boundedTotalOf, onlyCounted } from './pages.ts';
import { cancelExpired } from './review-cancellations.ts';
import { type ReviewRow, selectListed, selectReviews } from './review-columns.ts';
import { findContent, forgetContent, listExpired } from './review-contents.ts';
import { createReviewDecisions } from './review-decisions.ts';
import { matching } from './review-filter.ts';
import { lockReview } from './review-locks.ts';
import { evaluations, reviewContents, reviewHandling, reviews } from './tables.ts';

/** Reviews whose content is deleted in one go: each may hold a megabyte. */
const mostAtOnce = 8;

/** `audited` records what operators decide. */
export function createReviews(
  { read, change }: Pick<Postgres, 'read' | 'change'>,
  audited: Pick<Postgres, 'change' | 'salt'>,
  eventLog: Pick<EventLog, 'append'>,
): ReviewStore {
  async function wholeOf(
    db: Db,
    { id, input, targetKey, targetMetadata }: ReviewRow,
  ): Promise<StoredReview['whole']> {
    const held = await findContent(db, id);
    return {
      input: held?.input ?? input,
      targetKey: held?.targetKey ?? targetKey,
      targetMetadata: held?.targetMetadata ?? targetMetadata,
      isMasked: held?.isMasked ?? false,
    };
  }

  return {
    find: (integrationId, id, now) =>
      read(async (db) => {
        const row = await findReview(db, id);
        if (!row || (integrationId !== null && row.integrationId !== integrationId)) return null;
        const review = toStoredReview(row, now);
        if (review.status === 'PENDING') review.whole = await wholeOf(db, row);
        return review;
      }),

    list: (filter, page, now, mostBytes) =>
      read(async (db) => {
        const where = matching(filter, now);
        const rows = await selectListed(db, where, mostBytes)
          .orderBy(desc(reviews.createdAt), desc(reviews.id))
          .limit(page.size)
          .offset(offsetOf(page));
        const counted = db.select(onlyCounted).from(reviews).where(where).$dynamic();
        // Joined only for the filters that read them: a count looks at every row that is left.
        if (filter.severity !== undefined)
          counted.innerJoin(evaluations, eq(evaluations.id, reviews.evaluationId));
        if (filter.assignee !== undefined)
          counted.leftJoin(reviewHandling, eq(reviewHandling.reviewId, reviews.id));
        return {
          items: rows.map((row) => ({ ...toStoredReview(row, now), omitted: namesIn(row.omitted) })),
          total: await boundedTotalOf(db, counted),
        };
      }),

    ...createReviewDecisions({ read }, audited, eventLog),

    async forgetExpired(now, event, cancelling) {
      for (;;) {
        const ids = await read((db) => listExpired(db, now, mostAtOnce));
        for (const id of ids) await change((tx) => forgetOne(tx, id, now, event, cancelling));
        if (ids.length < mostAtOnce) return;
      }
    },
  };

  /** Whoever deletes the content tells of the expiry: over all replicas, one does. */
  async function forgetOne(
    tx: Db,
    id: string,
    now: number,
    event: Parameters<ReviewStore['forgetExpired']>[1],
    cancelling: ReviewCancelling | undefined,
  ): Promise<void> {
    await lockReview(tx, id);
    const [content] = await tx
      .select({ forgetAt: reviewContents.forgetAt })
      .from(reviewContents)
      .where(eq(reviewContents.reviewId, id));
    const forgetAt = content?.forgetAt ?? null;
    // Another replica was first, or it was decided, held again or put off meanwhile.
    if (forgetAt === null || forgetAt > now) return;
    const row = await findReview(tx, id);
    if (!row) throw new Error('a review that was locked is missing');
    const expired = toStoredReview(row, now);
    if (expired.status === 'CANCELLED') return cancelExpired(tx, row, now, eventLog, cancelling);
    await forgetContent(tx, id);
    if (event) await eventLog.append(tx, [event(expired)]);
  }
}

async function findReview(db: Db, id: string): Promise<ReviewRow | null> {
  const [row] = await selectReviews(db, eq(reviews.id, id));
  return row ?? null;
}

export async function findStoredReview(db: Db, id: string, now: number): Promise<StoredReview | null> {
  const row = await findReview(db, id);
  return row && toStoredReview(row, now);
}
