import { Worker } from 'node:worker_threads';
import { caseOf } from './cases.ts';
import { type EntryPoint, entryPoints } from './entry-points.ts';
import type { Told, Work } from './thread.ts';

export interface FuzzOptions {
  seed: number;
  /** Of all entry points together. */
  cases: number;
  /** Longest time of one case. */
  limitMs: number;
  /** After which a case that still runs is taken for one that never ends. */
  hangMs: number;
}
interface Finding {
  number: number;
  what: string;
  text: string;
}
export interface FuzzReport {
  entryPoint: string;
  cases: number;
  slowest: { number: number; ms: number };
  findings: readonly Finding[];
}

const shares = entryPoints.reduce((sum, { share }) => sum + share, 0);

/** Runs the cases of one entry point after those of another, in a thread that is ended when a case never ends. */
export async function* fuzz(
  { seed, cases, limitMs, hangMs }: FuzzOptions,
  points: readonly EntryPoint[] = entryPoints,
): AsyncGenerator<FuzzReport> {
  let thread: Worker | null = null;
  try {
    for (const point of points) {
      const to = Math.ceil((cases * point.share) / shares);
      const documents = point.documents();
      const findings: Finding[] = [];
      let slowest = { number: 0, ms: 0 };
      let from = 0;
      for (let ended = 0; from < to && ended < mostEnded; ) {
        thread ??= new Worker(new URL('./thread.ts', import.meta.url));
        const running = new Int32Array(new SharedArrayBuffer(4));
        const work: Work = { entryPoint: point.name, seed, from, to, limitMs, running };
        const { stoppedAt, found, slow } = await runIn(thread, work, hangMs);
        for (const [number, what] of found) {
          const { text, bytes } = caseOf(point, documents, { seed, number });
          findings.push({ number, what, text: point.bytes ? bytes.toString('latin1') : text });
        }
        if (slow.ms > slowest.ms) slowest = slow;
        from = stoppedAt === null ? to : stoppedAt + 1;
        if (stoppedAt === null) continue;
        thread = null;
        ended++;
      }
      yield { entryPoint: point.name, cases: from, slowest, findings };
    }
  } finally {
    await thread?.terminate();
  }
}

interface ThreadResult {
  /** The case that ended the thread; null when none did. */
  stoppedAt: number | null;
  found: [number: number, what: string][];
  slow: { number: number; ms: number };
}

const lookMs = 200;
/** An entry point whose cases ended so many threads is left. */
const mostEnded = 4;

function runIn(thread: Worker, work: Work, hangMs: number): Promise<ThreadResult> {
  const { running } = work;
  const found: ThreadResult['found'] = [];
  return new Promise((resolve, reject) => {
    let seen = 0;
    let looks = 0;
    const timer = setInterval(() => {
      const now = Atomics.load(running, 0);
      looks = now === seen ? looks + 1 : 0;
      seen = now;
      // Before the first case it loads its modules.
      if (now > 0 && looks * lookMs >= hangMs) stop(now - 1, `does not end within ${hangMs} ms`);
    }, lookMs);
    const end = (result: ThreadResult): void => {
      clearInterval(timer);
      thread.off('message', onMessage);
      thread.off('error', onError);
      resolve(result);
    };
    const stop = (number: number, what: string): void => {
      found.push([number, what]);
      end({ stoppedAt: number, found, slow: { number, ms: 0 } });
      void thread.terminate();
    };
    const onMessage = (told: Told): void => {
      if (told.kind === 'done') end({ stoppedAt: null, found, slow: told.slowest });
      else found.push([told.number, told.what]);
    };
    const onError = (error: unknown): void => {
      const now = Atomics.load(running, 0);
      if (now > 0) stop(now - 1, `ends its thread: ${error}`);
      else {
        clearInterval(timer);
        reject(error);
      }
    };
    thread.on('message', onMessage);
    thread.on('error', onError);
    thread.postMessage(work);
  });
}
