import { availableParallelism } from 'node:os';
import type { Worker } from 'node:worker_threads';
import { openThread } from '../../threads.ts';
import type { RequestContent } from '../request-content.ts';
import type { ScanJob } from './scan-job.ts';

/** Scans large requests beside the event loop. */
export interface ScanPool {
  /** Rejects when the request cannot be scanned; never resolves to less than all that was found. */
  scan(job: ScanJob): Promise<RequestContent>;
  /** Jobs that wait for a thread. */
  readonly waiting: number;
  close(): Promise<void>;
}

export interface ScanPoolOptions {
  threads?: number;
  /** After which a scan is given up. Default 10 s. */
  timeoutMs?: number;
}

/** One core is the event loop's. */
export const scanThreads = Math.max(1, Math.min(4, availableParallelism() - 1));

/** Of each thread. A request of 1 MB needs up to 100 MB; what needs more is refused, and the process goes on. */
const resourceLimits = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 16 };

interface Pending {
  job: ScanJob;
  resolve(content: RequestContent): void;
  reject(error: Error): void;
}

/**
 * Threads are started by the first jobs that need them: small installations never have one. One that fails or takes too
 * long is ended, its job is rejected, and another takes its place. Jobs are done in the order they come; callers must
 * bound and share what they submit.
 */
export function createScanPool({
  threads = scanThreads,
  timeoutMs = 10_000,
}: ScanPoolOptions = {}): ScanPool {
  const idle: Worker[] = [];
  const busy = new Map<Worker, Pending>();
  const waiting: Pending[] = [];
  let closed = false;

  function start(): Worker {
    const worker = openThread('scan-thread', import.meta.url, { resourceLimits });
    worker.unref();
    worker.on('message', (content: RequestContent) => {
      const pending = busy.get(worker);
      busy.delete(worker);
      idle.push(worker);
      pending?.resolve(content);
    });
    let failure: unknown;
    worker.on('error', (error) => {
      failure = error;
    });
    worker.on('exit', () => {
      const pending = busy.get(worker);
      busy.delete(worker);
      const place = idle.indexOf(worker);
      if (place >= 0) idle.splice(place, 1);
      pending?.reject(new Error('a large request could not be scanned', { cause: failure }));
      next();
    });
    return worker;
  }

  function next(): void {
    while (!closed && waiting.length > 0) {
      const worker = idle.pop() ?? (busy.size < threads ? start() : undefined);
      if (!worker) return;
      const pending = waiting.shift() as Pending;
      busy.set(worker, pending);
      worker.postMessage(pending.job);
    }
  }

  return {
    async scan(job) {
      let timer: NodeJS.Timeout | undefined;
      try {
        return await new Promise<RequestContent>((resolve, reject) => {
          if (closed) throw new Error('scanning has stopped');
          const pending = { job, resolve, reject };
          waiting.push(pending);
          next();
          timer = setTimeout(() => giveUp(pending), timeoutMs);
        });
      } finally {
        clearTimeout(timer);
        next();
      }
    },
    get waiting() {
      return waiting.length;
    },
    async close() {
      closed = true;
      for (const { reject } of waiting.splice(0)) reject(new Error('scanning has stopped'));
      await Promise.all([...idle, ...busy.keys()].map((worker) => worker.terminate()));
    },
  };

  function giveUp(pending: Pending): void {
    const place = waiting.indexOf(pending);
    if (place >= 0) waiting.splice(place, 1);
    for (const [worker, { job }] of busy) if (job === pending.job) void worker.terminate();
    pending.reject(new Error(`a large request was not scanned within ${timeoutMs} ms`));
  }
}
