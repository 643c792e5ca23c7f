import type { Store } from '../store/store.ts';

/** Deletes what was stored for the reviewers of reviews that nobody decided in time. */
export interface ExpiredReviews {
  /** Looks now, and from then on every few seconds. */
  start(): void;
  /** Deletes what has expired by now. */
  sweep(): Promise<void>;
  /** Lets the step under way finish. */
  stop(): Promise<void>;
}

/** How long such content outlives its review at most, but for a stopped service. A look reads one row of an index. */
const lookEveryMs = 5_000;

export function createExpiredReviews(deps: {
  store: Store;
  now: () => number;
  onError: (error: unknown) => void;
}): ExpiredReviews {
  const { store, now, onError } = deps;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | null = null;

  function sweep(): Promise<void> {
    running ??= store.reviews.forgetExpired(now()).finally(() => {
      running = null;
    });
    return running;
  }

  return {
    start() {
      const look = (): void => void sweep().catch(onError);
      look();
      timer = setInterval(look, lookEveryMs).unref();
    },
    sweep,
    async stop() {
      clearInterval(timer);
      await running?.catch(() => undefined);
    },
  };
}
