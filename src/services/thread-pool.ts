import type { ResourceLimits, Worker } from 'node:worker_threads';
import { AppError } from '../errors.ts';
import { openThread } from '../threads.ts';
import { RotatingQueue } from './fairness.ts';

/** Runs jobs beside the event loop. */
export interface ThreadPool<Job, Result> {
  /** Callers take turns. Rejects when the job fails, and with an `AppError` of code `unavailable` when it takes too long. */
  run(job: Job, caller?: string): Promise<Result>;
  /** Jobs that wait for a thread. */
  readonly waiting: number;
  close(): Promise<void>;
}

export interface ThreadPoolOptions {
  /** The module of the thread, beside the file of which `source` is the `import.meta.url`. It answers each message with one. */
  name: string;
  source: string;
  threads: number;
  /** After which a job that has begun is given up. */
  timeoutMs: number;
  /** After which a thread without a job is ended; never when absent. */
  idleMs?: number;
  resourceLimits: ResourceLimits;
  /** Messages of the errors that a job is rejected with. */
  messages: { failed: string; late: string; stopped: string };
}

interface Pending<Job, Result> {
  job: Job;
  timer?: NodeJS.Timeout;
  resolve(result: Result): void;
  reject(error: Error): void;
}

/**
 * Threads are started by the first jobs that need them: small installations never have one. One that fails or takes too
 * long is ended, its job is rejected, and another takes its place. Callers must bound what they submit.
 */
export function createThreadPool<Job, Result>(options: ThreadPoolOptions): ThreadPool<Job, Result> {
  const { name, source, threads, timeoutMs, idleMs, resourceLimits, messages } = options;
  const idle: Worker[] = [];
  const ends = new Map<Worker, NodeJS.Timeout>();
  const busy = new Map<Worker, Pending<Job, Result>>();
  const waiting = new RotatingQueue<Pending<Job, Result>>();
  let closed = false;

  /** The job of a thread that ends with this. */
  function take(worker: Worker): Pending<Job, Result> | undefined {
    const pending = busy.get(worker);
    busy.delete(worker);
    clearTimeout(pending?.timer);
    return pending;
  }

  function start(): Worker {
    const worker = openThread(name, source, { resourceLimits });
    worker.unref();
    worker.on('message', (result: Result) => {
      const pending = take(worker);
      // It was given up: the thread is being ended.
      if (!pending) return;
      idle.push(worker);
      if (idleMs !== undefined) ends.set(worker, setTimeout(() => end(worker), idleMs).unref());
      pending.resolve(result);
      next();
    });
    let failure: unknown;
    worker.on('error', (error) => {
      failure = error;
    });
    worker.on('exit', () => {
      const place = idle.indexOf(worker);
      if (place >= 0) idle.splice(place, 1);
      clearTimeout(ends.get(worker));
      ends.delete(worker);
      take(worker)?.reject(new Error(closed ? messages.stopped : messages.failed, { cause: failure }));
      next();
    });
    return worker;
  }

  function end(worker: Worker): void {
    idle.splice(idle.indexOf(worker), 1);
    ends.delete(worker);
    void worker.terminate();
  }

  function next(): void {
    while (!closed && !waiting.isEmpty) {
      const worker = idle.pop() ?? (busy.size < threads ? start() : undefined);
      if (!worker) return;
      clearTimeout(ends.get(worker));
      ends.delete(worker);
      const pending = waiting.take() as Pending<Job, Result>;
      busy.set(worker, pending);
      pending.timer = setTimeout(() => giveUp(worker), timeoutMs);
      worker.postMessage(pending.job);
    }
  }

  function giveUp(worker: Worker): void {
    take(worker)?.reject(new AppError('unavailable', messages.late, { retryAfterSeconds: 1 }));
    void worker.terminate();
    next();
  }

  return {
    run: (job, caller = '') =>
      new Promise<Result>((resolve, reject) => {
        if (closed) return reject(new Error(messages.stopped));
        waiting.add(caller, { job, resolve, reject });
        next();
      }),
    get waiting() {
      return waiting.size;
    },
    async close() {
      closed = true;
      for (let left = waiting.take(); left; left = waiting.take()) left.reject(new Error(messages.stopped));
      await Promise.all([...idle, ...busy.keys()].map((worker) => worker.terminate()));
    },
  };
}
