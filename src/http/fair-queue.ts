import { RotatingQueue } from '../services/rotating-queue.ts';

/** A place in the queue. */
export interface Turn {
  /** Resolves when it is this one's turn; never, when it left before. */
  readonly begins: Promise<void>;
  /** Lets the next one in. Must be called once for each turn, also for one that has not begun; later calls do nothing. */
  readonly leave: () => void;
}

/** Lets a few run at the same time. The keys that wait take turns. */
export class FairQueue {
  readonly #concurrency: number;
  readonly #waiting = new RotatingQueue<() => void>();
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
    const leave = (): void => {
      if (state === 'waiting') this.#waiting.remove(key, start);
      if (state === 'running') this.#running--;
      state = 'left';
      this.#next();
    };
    this.#waiting.add(key, start);
    this.#next();
    return { begins, leave };
  }

  #next(): void {
    while (this.#running < this.#concurrency) {
      const start = this.#waiting.take();
      if (!start) return;
      start();
    }
  }
}
