import { availableParallelism } from 'node:os';
import { createThreadPool } from '../../services/thread-pool.ts';
import type { RequestContent } from '../content.ts';
import { type PackedContent, type ScanJob, unpacked } from './scan-messages.ts';

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

/** Memory of each thread. A request of 1 MB needs up to 100 MB; a request that needs more is refused, and the process goes on. */
const resourceLimits = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 16 };

/** Jobs are done in the order they come; callers must bound and share what they submit. */
export function createScanPool({
  threads = scanThreads,
  timeoutMs = 10_000,
}: ScanPoolOptions = {}): ScanPool {
  const pool = createThreadPool<ScanJob, PackedContent>({
    name: 'scan-thread',
    source: import.meta.url,
    threads,
    timeoutMs,
    resourceLimits,
    messages: {
      failed: 'a large request could not be scanned',
      late: `a large request was not scanned within ${timeoutMs} ms`,
      stopped: 'scanning has stopped',
    },
  });
  return {
    scan: async (job) => unpacked(await pool.run(job), job.text),
    get waiting() {
      return pool.waiting;
    },
    close: pool.close,
  };
}
