import { and, count, eq, gt, isNotNull, min, sql } from 'drizzle-orm';
import { AppError } from '../../errors.ts';
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

/**
 * Rejects when the database cannot be written to: it is gone, a standby, or read-only. Those who ask meanwhile share one look: anyone
 * may ask.
 */
export function createPing({ change }: Pick<Postgres, 'change'>): () => Promise<void> {
  const look = (): Promise<void> =>
    change(async (tx) => {
      const { rows } = await tx.execute<{ readOnly: string }>(
        sql`SELECT current_setting('transaction_read_only') AS "readOnly"`,
      );
      if (rows[0]?.readOnly !== 'off')
        throw new AppError('unavailable', 'the database is read-only', { retryAfterSeconds: 1 });
    });
  let looking: Promise<void> | null = null;

  return () => {
    looking ??= look().finally(() => {
      looking = null;
    });
    return looking;
  };
}
