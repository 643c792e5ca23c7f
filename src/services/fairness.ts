interface Entries<Entry> {
  /** In the order of their arrival, before all others. */
  ahead: Entry[];
  others: Entry[];
}

/** A queue in which keys take turns, so a long queue of one key delays no other key. */
export class RotatingQueue<Entry> {
  /** Keys in the order of their turns; each has at least one entry. */
  readonly #entries = new Map<string, Entries<Entry>>();

  get size(): number {
    let size = 0;
    for (const { ahead, others } of this.#entries.values()) size += ahead.length + others.length;
    return size;
  }

  get isEmpty(): boolean {
    return this.#entries.size === 0;
  }

  /** `ahead`: before the other entries of its key, and behind those that were added ahead earlier. */
  add(key: string, entry: Entry, ahead = false): void {
    const entries = this.#entries.get(key) ?? { ahead: [], others: [] };
    if (ahead) entries.ahead.push(entry);
    else entries.others.push(entry);
    this.#entries.set(key, entries);
  }

  /** Removes and returns the entry whose turn it is; undefined when there is none. */
  take(): Entry | undefined {
    const [first] = this.#entries;
    if (!first) return undefined;
    const [key, entries] = first;
    const entry = (entries.ahead.length > 0 ? entries.ahead : entries.others).shift();
    // Behind the other keys, or out.
    this.#entries.delete(key);
    this.#keep(key, entries);
    return entry;
  }

  remove(key: string, entry: Entry): void {
    const { ahead, others } = this.#entries.get(key) ?? { ahead: [], others: [] };
    const isOther = (one: Entry) => one !== entry;
    const left = { ahead: ahead.filter(isOther), others: others.filter(isOther) };
    if (left.ahead.length + left.others.length > 0) this.#entries.set(key, left);
    else this.#entries.delete(key);
  }

  #keep(key: string, entries: Entries<Entry>): void {
    if (entries.ahead.length + entries.others.length > 0) this.#entries.set(key, entries);
  }
}

/**
 * Shares a capacity between keys. A key may hold as much as is still free for others: alone half of the capacity, two of
 * them a third each, n of them 1/(n+1) each. So a key that takes all it can get never leaves another one with nothing.
 */
export class FairShare {
  #used = 0;
  readonly #usedBy = new Map<string, number>();

  get used(): number {
    return this.#used;
  }

  usedBy(key: string): number {
    return this.#usedBy.get(key) ?? 0;
  }

  /** Takes `amount` for the key, or takes nothing and returns false when its share has no room for it. */
  take(key: string, amount: number, capacity: number): boolean {
    const used = this.usedBy(key);
    if (used + amount > capacity - this.#used) return false;
    this.#used += amount;
    this.#usedBy.set(key, used + amount);
    return true;
  }

  /** The keys for which `take` has no room. */
  full(amount: number, capacity: number): string[] {
    const free = capacity - this.#used;
    return [...this.#usedBy].flatMap(([key, used]) => (used + amount > free ? [key] : []));
  }

  /** Must be called once for all that was taken. */
  release(key: string, amount: number): void {
    this.#used -= amount;
    const left = this.usedBy(key) - amount;
    if (left > 0) this.#usedBy.set(key, left);
    else this.#usedBy.delete(key);
  }
}

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

/** Runs at most so many at once; others wait for their turn, in the order in which they came. */
export function createTurns(most: number): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let free = most;
  const waiting: (() => void)[] = [];

  return async (work) => {
    if (free > 0) free--;
    else await new Promise<void>((go) => waiting.push(go));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free++;
    }
  };
}
