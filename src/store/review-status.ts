import type { ReviewStatus } from '../features/reviews/schema.ts';

/** What is written of a review; EXPIRED is derived from the clock, and so is CANCELLED when its session expires. */
export interface WrittenReviewStatus {
  status: Exclude<ReviewStatus, 'EXPIRED'>;
  /** Never later than that of its session. */
  expiresAt: number;
  /** Whether `expiresAt` is that of its session. SQLite has 1 and 0. */
  endsWithSession: boolean | number;
}

/** An undecided review and an unused approval both end with `expiresAt`, which itself is already too late. */
export function reviewStatusAt(
  { status, expiresAt, endsWithSession }: WrittenReviewStatus,
  now: number,
): ReviewStatus {
  if ((status !== 'PENDING' && status !== 'APPROVED') || expiresAt > now) return status;
  return status === 'PENDING' && endsWithSession ? 'CANCELLED' : 'EXPIRED';
}
