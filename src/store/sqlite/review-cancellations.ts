import { and, eq, gt } from 'drizzle-orm';
import { cancellationEntry } from '../review-cancelling.ts';
import type { ReviewCancelling } from '../reviews.ts';
import { toStoredReview } from '../stored-reviews.ts';
import type { Sqlite } from './database.ts';
import type { EventLog } from './events.ts';
import type { RecordEntries } from './record-entries.ts';
import type { ReviewRow } from './review-columns.ts';
import type { ReviewContents } from './review-contents.ts';
import { callbacks, reviews } from './tables.ts';

/** Reviews that end with their session. Synchronous: it runs inside a change. */
export interface ReviewCancellations {
  /** Of a session that ends now: nobody can decide what is PENDING, nor use what is APPROVED. */
  endSession(sessionRow: number, now: number, cancelling: ReviewCancelling | undefined): void;
  /** Of one that has expired with its session. */
  cancel(reviewRow: number, now: number, cancelling: ReviewCancelling | undefined): void;
}

interface ReviewEffects {
  contents: Pick<ReviewContents, 'settle'>;
  eventLog: Pick<EventLog, 'append'>;
  entries: RecordEntries;
}

export function createReviewCancellations(
  { db }: Pick<Sqlite, 'db'>,
  findRow: (row: number) => ReviewRow | undefined,
  { contents, eventLog, entries }: ReviewEffects,
): ReviewCancellations {
  function cancel(reviewId: number, now: number, cancelling: ReviewCancelling | undefined): void {
    const isIt = and(eq(reviews.id, reviewId), eq(reviews.status, 'PENDING'));
    if (db.update(reviews).set({ status: 'CANCELLED' }).where(isIt).run().changes !== 1) return;
    const row = findRow(reviewId);
    if (!row) throw new Error('a review that was cancelled is missing');
    contents.settle(reviewId, row.callbackUrl !== null && cancelling !== undefined);
    const cancelled = toStoredReview(row, now);
    entries.addDecision(row, cancellationEntry(cancelled, now));
    if (!cancelling) return;
    eventLog.append(cancelling.event(cancelled));
    if (row.callbackUrl === null) return;
    const { id: uid, body } = cancelling.callback(cancelled);
    db.insert(callbacks).values({ uid, reviewId, body, attemptCount: 0, nextAttemptAt: now }).run();
  }

  return {
    cancel,

    endSession(sessionRow, now, cancelling) {
      const open = (status: 'PENDING' | 'APPROVED') =>
        and(eq(reviews.sessionId, sessionRow), eq(reviews.status, status), gt(reviews.expiresAt, now));
      db.update(reviews).set({ expiresAt: now }).where(open('APPROVED')).run();
      const pending = db.select({ row: reviews.id }).from(reviews).where(open('PENDING')).all();
      for (const { row } of pending) cancel(row, now, cancelling);
    },
  };
}
