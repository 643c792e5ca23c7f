/** A place in the queue. */
export interface Turn {
  /** Resolves when it is this one's turn; never, when it left before. */
  readonly begins: Promise<void>;
  /** Lets the next one in. Must be called once for each turn, also for one that has not begun; later calls do nothing. */
  readonly leave: () => void;
}

/** Lets a few run at the same time. The keys that wait take turns, so a long queue of one key delays no other key. */
export class FairQueue {
  readonly #concurrency: number;
  /** Keys in the order of their turns; each has at least one entry. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #running = 0;

  constructor(concurrency: number) {
    this.#concurrency = concurrency;
  }

  enter(key: string): Turn {
    let state: 'waiting' | 'running' | 'left' = 'waiting';
    let start: () => void = () => undefined;
    const begins = new Promise<void>((resolve) => {
      start = () => {
        state = 'running';
        this.#running++;
        resolve();
      };
    });
    const entry = (): void => start();
    const leave = (): void => {
      if (state === 'waiting') this.#remove(key, entry);
      if (state === 'running') this.#running--;
      state = 'left';
      this.#next();
    };
    const entries = this.#waiting.get(key);
    if (entries) entries.push(entry);
    else this.#waiting.set(key, [entry]);
    this.#next();
    return { begins, leave };
  }

  #next(): void {
    while (this.#running < this.#concurrency) {
      const [first] = this.#waiting;
      if (!first) return;
      const [key, entries] = first;
      const entry = entries.shift();
      // Behind the other keys, or out.
      this.#waiting.delete(key);
      if (entries.length > 0) this.#waiting.set(key, entries);
      entry?.();
    }
  }

  #remove(key: string, entry: () => void): void {
    const entries = this.#waiting.get(key) ?? [];
    const left = entries.filter((one) => one !== entry);
    if (left.length > 0) this.#waiting.set(key, left);
    else this.#waiting.delete(key);
  }
}
