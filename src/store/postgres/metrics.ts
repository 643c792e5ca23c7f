import { and, count, eq, gt, isNotNull, min } from 'drizzle-orm';
import type { StoreFigures } from '../metrics.ts';
import type { Postgres } from './database.ts';
import { callbacks, reviewContents, reviews, webhookDeliveries } from './tables.ts';

export const createFigures =
  ({ read }: Pick<Postgres, 'read'>): ((now: number) => Promise<StoreFigures>) =>
  (now) =>
    read(async (db) => {
      // A PENDING review has content until it expires; reviews themselves are kept for ever, and are many.
      const [pending] = await db
        .select({ count: count(), oldestAt: min(reviews.createdAt) })
        .from(reviewContents)
        .innerJoin(reviews, eq(reviews.id, reviewContents.reviewId))
        .where(and(gt(reviewContents.forgetAt, now), eq(reviews.status, 'PENDING')));
      const [waiting] = await db
        .select({ count: count() })
        .from(callbacks)
        .where(isNotNull(callbacks.nextAttemptAt));
      const [deliveries] = await db
        .select({ count: count() })
        .from(webhookDeliveries)
        .where(isNotNull(webhookDeliveries.nextAttemptAt));
      return {
        pendingReviews: pending?.count ?? 0,
        oldestPendingAt: pending?.oldestAt ?? null,
        callbacksWaiting: waiting?.count ?? 0,
        deliveriesWaiting: deliveries?.count ?? 0,
        // PostgreSQL keeps its log itself, for all of its databases.
        walBytes: 0,
      };
    });
