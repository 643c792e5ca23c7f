import { minuteMs } from '../../schemas/durations.ts';
import { createSweeper, type Sweeper } from '../../services/sweeper.ts';
import type { ReviewCancelling, Store } from '../../store/store.ts';
import { reviewEvent } from './events.ts';
import { callbackBody } from './service.ts';

/** The events of reviews whose session is over at `at`. `hasCallbacks` says whether somebody is to be called. */
export function reviewCancelling(
  at: number,
  newId: () => string,
): ReviewCancelling & { readonly hasCallbacks: boolean } {
  let hasCallbacks = false;
  return {
    event: (review) => reviewEvent('review.cancelled', review, { at, actor: null, newId }),
    callback(review) {
      hasCallbacks = true;
      return { id: newId(), body: callbackBody(review, at) };
    },
    get hasCallbacks() {
      return hasCallbacks;
    },
  };
}

/** Deletes the content kept for reviewers of expired reviews, and emits one event for each. */
export type ExpiredReviews = Sweeper;

/** How long such content outlives its review at most, but for a stopped service. A look reads one row of an index. */
const lookEveryMs = 5_000;
/** How long before its expiry a review is announced again, unless its whole life is shorter than twice that. */
const remindMs = 5 * minuteMs;

export function createExpiredReviews(deps: {
  store: Store;
  now: () => number;
  newId: () => string;
  onError: (error: unknown) => void;
}): ExpiredReviews {
  const { store, now, newId, onError } = deps;
  return createSweeper({
    everyMs: lookEveryMs,
    onError,
    async run() {
      const at = now();
      await store.reviewQueue.remindExpiring(at, remindMs, (review) =>
        reviewEvent('review.expiring', review, { at, actor: null, newId }),
      );
      await store.reviews.forgetExpired(
        at,
        (review) => reviewEvent('review.expired', review, { at, actor: null, newId }),
        reviewCancelling(at, newId),
      );
    },
  });
}
