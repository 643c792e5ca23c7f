import type { Store } from '../store/store.ts';
import { createSweeper, type Sweeper } from './sweeper.ts';

/** Deletes what was stored for the reviewers of reviews that nobody decided in time. */
export type ExpiredReviews = Sweeper;

/** How long such content outlives its review at most, but for a stopped service. A look reads one row of an index. */
const lookEveryMs = 5_000;

export function createExpiredReviews(deps: {
  store: Store;
  now: () => number;
  onError: (error: unknown) => void;
}): ExpiredReviews {
  const { store, now, onError } = deps;
  return createSweeper({ run: () => store.reviews.forgetExpired(now()), everyMs: lookEveryMs, onError });
}
