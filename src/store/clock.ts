/** The times that the store keeps. */
export interface KeptClock {
  /** The latest time that was kept; 0 in a new store. */
  latestAt: number;
  /** When the clock jumped ahead and no operator has confirmed it yet: the time before. */
  retentionHeldAt: number | null;
}

/** The time that the services have seen. */
export interface ClockReading {
  latestAt: number;
  /** The time before the last jump ahead; null when there was none. */
  jumpedFrom: number | null;
}

export interface ClockStore {
  /**
   * The time that all processes on this database go by, in milliseconds since 1970: that of the machine, or of the server of
   * the database.
   */
  now(): number;

  find(): Promise<KeptClock>;

  /**
   * From now on what is recorded keeps the reading with it, once a second at most. A new jump is kept by the next `keep` at
   * the latest, and holds retention.
   */
  follow(read: () => ClockReading): void;

  /** Keeps the reading now, and returns what is kept. */
  keep(): Promise<KeptClock>;
}
