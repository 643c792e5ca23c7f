export interface StoredCallback {
  attemptCount: number;
  /** Null once delivered or given up. */
  nextAttemptAt: number | null;
  deliveredAt: number | null;
  lastError: string | null;
}

export interface DueCallback {
  id: string;
  integrationId: string;
  url: string;
  /** Of the review's integration. */
  webhookSecret: string;
  body: string;
  /** Attempts made before this one. */
  attemptCount: number;
}

export interface CallbackStore {
  /**
   * Those whose next attempt is due at `now`, the longest waiting first, except those of the integrations `without`. In the
   * same step each is put off until `until`, so that no other process on the same data takes it too, and a process that
   * dies with it loses none.
   */
  claimDue(now: number, limit: number, until: number, without?: readonly string[]): Promise<DueCallback[]>;
  /** Gives a claim back: due at `now` again, and no attempt is counted. */
  release(id: string, now: number): Promise<void>;
  /** When the next attempt of any is due; null when none waits. */
  findNextAttemptAt(): Promise<number | null>;
  /** Deletes the address: it is stored only while it is needed. */
  recordDelivered(id: string, now: number): Promise<void>;
  /** `nextAttemptAt` null gives up, and deletes the address. */
  recordFailed(id: string, error: string, nextAttemptAt: number | null): Promise<void>;
}
