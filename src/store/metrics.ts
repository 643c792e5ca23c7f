/** The figures of the store that a monitoring system reads at one moment. */
export interface StoreFigures {
  pendingReviews: number;
  /** When the oldest of them was created; null when none is pending. */
  oldestPendingAt: number | null;
  /** Callbacks that are not delivered and not given up. */
  callbacksWaiting: number;
  /** Deliveries of webhooks that are not delivered and not given up. */
  deliveriesWaiting: number;
  /** Size of the log of changes that are not in the database file yet. */
  walBytes: number;
}

/** Told of the size and time of each commit, for metrics. Must return at once and must not throw. */
export interface CommitObserver {
  /** Changes that shared the transaction, and seconds until it was committed. */
  committed(changes: number, seconds: number): void;
  /** Seconds until what was committed was on disk. */
  synced(seconds: number): void;
}
