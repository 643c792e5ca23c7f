/** What the event loop did since it was last asked. */
export interface Spent {
  /** Milliseconds it was at work. */
  activeMs: number;
  /** The part of the time it was at work: 0 to 1. */
  utilization: number;
}

/**
 * The work, in milliseconds, that may lie before an accepted request in an overload. It waits for some three times of
 * that: to be read, to be decided, for the disk (docs/performance.md).
 */
const workAheadMs = 12;
/** So many at once are a burst and no overload, however slow the machine is. */
const least = 64;
/** Looks in a row, 100 ms apart, that must see an overload: what passes sooner may wait. */
const looksUntilPressed = 5;
export const lookEveryMs = 100;

/**
 * How many requests may be under way: `most`; and under lasting overload only as many as this machine, with requests
 * like these, gets done soon. That is measured, for 256 are 15 ms of work on one machine and 60 ms on another.
 */
export class Room {
  /** Requests that may be under way at once. */
  size: number;
  readonly #most: number;
  readonly #spent: () => Spent;
  #finished = 0;
  #peak = 0;
  #refused = false;
  #pressedFor = 0;

  constructor(most: number, spent: () => Spent) {
    this.#most = most;
    this.#spent = spent;
    this.size = most;
  }

  accepted(underWay: number): void {
    if (underWay > this.#peak) this.#peak = underWay;
  }

  refused(): void {
    this.#refused = true;
  }

  finished(): void {
    this.#finished++;
  }

  /** Called every 100 ms. */
  look(): void {
    const { activeMs, utilization } = this.#spent();
    const doneSoon = Math.floor((workAheadMs * this.#finished) / activeMs);
    const fair = Math.min(this.#most, Math.max(least, doneSoon));
    const pressed = utilization > 0.9 && (this.#refused || this.#peak > fair);
    this.#pressedFor = pressed ? this.#pressedFor + 1 : 0;
    this.size = this.#pressedFor >= looksUntilPressed ? fair : this.#most;
    this.#finished = 0;
    this.#peak = 0;
    this.#refused = false;
  }
}
