import { parentPort } from 'node:worker_threads';
import { caseOf } from './cases.ts';
import { entryPoints } from './entry-points.ts';

// Runs the cases of one entry point after those of another. A case that hangs is seen from outside, by the number that no longer changes.

export interface Work {
  entryPoint: string;
  seed: number;
  from: number;
  to: number;
  limitMs: number;
  /** The number of the case that runs, plus 1. */
  running: Int32Array;
}
export type Told =
  | { kind: 'finding'; number: number; what: string }
  | { kind: 'done'; slowest: { number: number; ms: number } };

const mostRuns = 8;

const tell = (told: Told): void => parentPort?.postMessage(told);

parentPort?.on('message', async ({ entryPoint, seed, from, to, limitMs, running }: Work) => {
  const point = entryPoints.find(({ name }) => name === entryPoint);
  if (!point) throw new Error(`there is no entry point ${entryPoint}`);
  const documents = point.documents();
  // What was never run is not compiled yet.
  for (const document of documents) await point.run(document, Buffer.from(document));
  let slowest = { number: from, ms: 0 };
  for (let number = from; number < to; number++) {
    Atomics.store(running, 0, number + 1);
    const { text, bytes } = caseOf(point, documents, { seed, number });
    try {
      const ms = await quickest(() => point.run(text, bytes), Math.max(slowest.ms, limitMs / 5));
      if (ms > slowest.ms) slowest = { number, ms };
      if (ms > limitMs) tell({ kind: 'finding', number, what: `takes ${ms.toFixed(1)} ms` });
    } catch (error) {
      tell({ kind: 'finding', number, what: `throws ${(error as Error)?.stack ?? error}` });
    }
  }
  tell({ kind: 'done', slowest });
});

/**
 * A pause of the machine is not the text's fault: what takes longer than `enough` is measured again, and the processor's time
 * counts where that is less.
 */
async function quickest(run: () => unknown, enough: number): Promise<number> {
  let ms = Number.POSITIVE_INFINITY;
  let times = 0;
  const before = process.threadCpuUsage();
  for (; times < mostRuns && ms > enough; times++) {
    const start = performance.now();
    await run();
    ms = Math.min(ms, performance.now() - start);
  }
  if (ms <= enough) return ms;
  const { user, system } = process.threadCpuUsage(before);
  return Math.min(ms, (user + system) / 1_000 / times);
}
