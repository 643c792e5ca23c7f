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
   * The time for all processes on this database, in milliseconds since 1970: the clock of the machine, or of the database server.
   */
  now(): number;

  find(): Promise<KeptClock>;

  /**
   * From now on records keep the reading, once a second at most. A new jump of the clock is kept by the next `keep` at the
   * latest, and holds retention.
   */
  follow(read: () => ClockReading): void;

  /** Keeps the reading now, and returns what is kept. */
  keep(): Promise<KeptClock>;
}
