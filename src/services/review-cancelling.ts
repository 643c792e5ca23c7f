import type { ReviewCancelling } from '../store/store.ts';
import { reviewEvent } from './events/review-events.ts';
import { callbackBody } from './review-responses.ts';

/** What is told of reviews whose session is over at `at`. `hasCallbacks` says whether somebody is to be called. */
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
