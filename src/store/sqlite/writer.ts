import { type Client, unavailable } from './client.ts';

/**
 * The one writer of this process: changes that arrive in the same turn of the event loop share one transaction, and so
 * one sync of the disk, and each is answered after that commit. A change sees what the changes before it did.
 */
export interface Writer {
  /** `change` must be synchronous, touch nothing but the database, and may run twice (see below). */
  run<T>(change: () => T): Promise<T>;
  /** Called after a transaction was rolled back: what was learnt inside it is void. */
  onRollback(forget: () => void): void;
  /** Commits what is waiting. */
  flush(): void;
}

interface Job {
  change: () => unknown;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

/** Bounds how long one transaction holds the event loop. */
const largestBatch = 256;

export function createWriter(client: Client): Writer {
  const waiting: Job[] = [];
  const forgetters: (() => void)[] = [];
  let scheduled = false;
  const transaction = client.transaction((jobs: readonly Job[]) => jobs.map((job) => job.change()));

  function commit(jobs: readonly Job[]): void {
    let results: unknown[];
    try {
      results = transaction.immediate(jobs);
    } catch (error) {
      for (const forget of forgetters) forget();
      // One bad change must not fail its neighbours: they are repeated alone, and only the bad one is refused.
      const [first] = jobs;
      if (jobs.length === 1 && first) first.reject(unavailable(error));
      else for (const job of jobs) commit([job]);
      return;
    }
    jobs.forEach((job, place) => {
      job.resolve(results[place]);
    });
  }

  function flush(): void {
    scheduled = false;
    while (waiting.length > 0) commit(waiting.splice(0, largestBatch));
  }

  return {
    run(change) {
      return new Promise((resolve, reject) => {
        waiting.push({ change, resolve: resolve as (value: unknown) => void, reject });
        if (!scheduled) {
          scheduled = true;
          // setImmediate, not queueMicrotask: by then the requests that arrived together are all waiting.
          setImmediate(flush);
        }
      });
    },
    onRollback(forget) {
      forgetters.push(forget);
    },
    flush,
  };
}
