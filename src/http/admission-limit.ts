/** What the event loop did since the last sample. */
export interface LoopActivity {
  /** Milliseconds it was busy. */
  activeMs: number;
  /** The share of the time it was busy: 0 to 1. */
  utilization: number;
}

/**
 * The work, in milliseconds, that may be queued ahead of an admitted request under overload. Its latency is about three
 * times that: it is read, decided and synced to disk (docs/performance.md).
 */
const queuedWorkMs = 12;
/** This many at once are a burst and no overload, however slow the machine is. */
const minimum = 64;
/** Consecutive overloaded samples, 100 ms apart, before the limit is lowered: a shorter peak may wait. */
const samplesUntilOverloaded = 5;
export const sampleEveryMs = 100;

/**
 * How many requests may be in flight at once. Usually `maximum`; under lasting overload, what this machine finishes within
 * 12 ms. That is measured, because 256 requests are 15 ms of work on one machine and 60 ms on another.
 */
export class AdmissionLimit {
  /** Requests that may be in flight at once. */
  size: number;
  readonly #maximum: number;
  readonly #activity: () => LoopActivity;
  #finished = 0;
  #peak = 0;
  #refused = false;
  #overloadedSamples = 0;

  /** `activity` must return what the event loop did since its last call. */
  constructor(maximum: number, activity: () => LoopActivity) {
    this.#maximum = maximum;
    this.#activity = activity;
    this.size = maximum;
  }

  admitted(inFlight: number): void {
    if (inFlight > this.#peak) this.#peak = inFlight;
  }

  refused(): void {
    this.#refused = true;
  }

  finished(): void {
    this.#finished++;
  }

  /** Must be called every 100 ms. */
  sample(): void {
    const { activeMs, utilization } = this.#activity();
    const finishedInTime = Math.floor((queuedWorkMs * this.#finished) / activeMs);
    const sustainable = Math.min(this.#maximum, Math.max(minimum, finishedInTime));
    const overloaded = utilization > 0.9 && (this.#refused || this.#peak > sustainable);
    this.#overloadedSamples = overloaded ? this.#overloadedSamples + 1 : 0;
    this.size = this.#overloadedSamples >= samplesUntilOverloaded ? sustainable : this.#maximum;
    this.#finished = 0;
    this.#peak = 0;
    this.#refused = false;
  }
}
