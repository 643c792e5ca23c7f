import { availableParallelism } from 'node:os';
import { type Awaitable, chain } from '../../awaitable.ts';
import type { Recognizer } from '../../services/recognition/recognizer.ts';
import { createThreadPool } from '../../services/thread-pool.ts';
import { type ContentRequest, type RequestContent, scanRequest } from '../content.ts';
import type { DecidingPolicies } from '../in-force.ts';
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
  /** After which a thread without work is ended. Default five minutes. */
  idleMs?: number;
}

/** One core is the event loop's. */
export const scanThreads = Math.max(1, Math.min(4, availableParallelism() - 1));

/** Ending an idle thread is what returns its memory: V8 is told not to collect garbage because it is idle (`v8-flags.ts`). */
const longestIdleMs = 300_000;
/** Memory of each thread. A request of 1 MB needs up to 100 MB; a request that needs more is refused, and the process goes on. */
const resourceLimits = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 16 };

/** Jobs are done in the order they come; callers must bound and share what they submit. */
export function createScanPool({
  threads = scanThreads,
  timeoutMs = 10_000,
  idleMs = longestIdleMs,
}: ScanPoolOptions = {}): ScanPool {
  const pool = createThreadPool<ScanJob, PackedContent>({
    name: 'scan-thread',
    source: import.meta.url,
    threads,
    timeoutMs,
    idleMs,
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

/**
 * Longer requests are scanned in another thread, because every other caller would wait for them. At this length, in
 * UTF-16 units, that is up to 2 ms.
 */
export const largeText = 65_536;

/**
 * Scans a request with the detectors of its integration's policies. `text` must be the JSON text of an object that has the
 * request's `input` and `targetMetadata`, as it was sent.
 */
export type ScanContent = (
  deciding: Pick<DecidingPolicies, 'detector' | 'detectorOptions'>,
  request: ContentRequest,
  text: string,
) => Awaitable<RequestContent>;

/** With a `recognizer`, what it finds in the texts of a request counts as found. */
export const createRequestScanner =
  (pool: Pick<ScanPool, 'scan'>, recognizer: Pick<Recognizer, 'recognize'> | null = null): ScanContent =>
  ({ detector, detectorOptions }, request, text) => {
    const { input, targetKey, targetMetadata } = request;
    const recognized = recognizer ? recognizer.recognize([input, targetKey, targetMetadata]) : null;
    return chain(recognized, (recognized) => {
      if (text.length <= largeText) return scanRequest(detector, request, recognized);
      const { input: _input, texts: _texts, targetMetadata: _metadata, ...rest } = request;
      return pool.scan({ detector: detectorOptions, text, rest, recognized });
    });
  };
