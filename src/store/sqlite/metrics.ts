import { statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { and, count, eq, gt, isNotNull, min } from 'drizzle-orm';
import { AppError } from '../../errors.ts';
import type { StoreFigures } from '../metrics.ts';
import type { Sqlite } from './database.ts';
import { type DiskReserve, leastFreeBytes } from './file/disk-reserve.ts';
import type { FileGuard } from './file/file-guard.ts';
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

/** Rejects when the file cannot be written to, or soon will not be. Those who ask meanwhile share one look: anyone may ask. */
export function createPing(
  { client, writer }: Pick<Sqlite, 'client' | 'writer'>,
  guard: Pick<FileGuard, 'check'>,
  reserve: Pick<DiskReserve, 'restore'>,
): () => Promise<void> {
  async function look(): Promise<void> {
    const loss = guard.check();
    if (loss) throw loss;
    await reserve.restore();
    // Writes a page that changes nothing: a disk that failed, or became read-only, would take an empty change.
    await writer.run(() => void client.pragma('user_version = 0'));
    const { bavail, bsize } = await statfs(dirname(client.name));
    if (bavail * bsize < leastFreeBytes) {
      throw new AppError('unavailable', 'the disk is almost full', { retryAfterSeconds: 1 });
    }
  }
  let looking: Promise<void> | null = null;

  return () => {
    looking ??= look().finally(() => {
      looking = null;
    });
    return looking;
  };
}
