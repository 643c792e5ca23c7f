import type { ReviewStatus } from '../schemas/reviews.ts';

/** What is written of a review; EXPIRED is derived from the clock. */
export interface WrittenReviewStatus {
  status: Exclude<ReviewStatus, 'EXPIRED'>;
  expiresAt: number;
}

/** An undecided review and an unused approval both end with `expiresAt`, which itself is already too late. */
export const reviewStatusAt = ({ status, expiresAt }: WrittenReviewStatus, now: number): ReviewStatus =>
  (status === 'PENDING' || status === 'APPROVED') && expiresAt <= now ? 'EXPIRED' : status;
