import { statSync } from 'node:fs';
import { and, count, eq, gt, isNotNull, min } from 'drizzle-orm';
import type { StoreFigures } from '../metrics.ts';
import type { Sqlite } from './database.ts';
import { callbacks, reviewContents, reviews, webhookDeliveries } from './tables.ts';

export const createFigures =
  ({ client, db, look }: Pick<Sqlite, 'client' | 'db' | 'look'>): ((now: number) => Promise<StoreFigures>) =>
  (now) =>
    look(() => {
      // A PENDING review has content until it expires; reviews themselves are kept for ever, and are many.
      const pending = db
        .select({ count: count(), oldestAt: min(reviews.createdAt) })
        .from(reviewContents)
        .innerJoin(reviews, eq(reviews.id, reviewContents.reviewId))
        .where(and(gt(reviewContents.forgetAt, now), eq(reviews.status, 'PENDING')))
        .get();
      const waiting = db
        .select({ count: count() })
        .from(callbacks)
        .where(isNotNull(callbacks.nextAttemptAt))
        .get();
      const deliveries = db
        .select({ count: count() })
        .from(webhookDeliveries)
        .where(isNotNull(webhookDeliveries.nextAttemptAt))
        .get();
      return {
        pendingReviews: pending?.count ?? 0,
        oldestPendingAt: pending?.oldestAt ?? null,
        callbacksWaiting: waiting?.count ?? 0,
        deliveriesWaiting: deliveries?.count ?? 0,
        walBytes: statSync(`${client.name}-wal`, { throwIfNoEntry: false })?.size ?? 0,
      };
    });
