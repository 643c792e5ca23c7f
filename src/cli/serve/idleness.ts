import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Length of a period, in milliseconds; it is quiet when the event loop was busy for less than `mostBusy` of it. */
const quietMs = 2_500;
const mostBusy = 0.1;
/** Quiet periods before memory is freed for the first time, when the start took longer than a period or work followed it at once. */
const quietAfterStart = 4;
/**
 * Quiet periods after work before memory is freed. A collection while nothing is evaluated also frees the machine code of all
 * functions that exist only during an evaluation: the next 10,000 evaluations take up to twice the CPU (bench/notes/sqlite.md).
 */
const quietAfterWork = 300_000 / quietMs;

/**
 * Says after each period what is due: memory is freed at the first quiet period, and once after each time of work, because V8 does
 * not return memory in an idle process by itself. `isFirst` is true once, at the first quiet period or after a minute without one.
 */
export function judgeIdleness(): (isQuiet: boolean) => { isMemoryFreed: boolean; isFirst: boolean } {
  const mostBeforeFirst = 60_000 / quietMs;
  let [periods, quiet, needed] = [0, 0, 1];
  let hasFreed = false;
  let isStarting = true;
  return (isQuiet) => {
    periods++;
    if (!isQuiet && periods > 1) needed = hasFreed ? quietAfterWork : quietAfterStart;
    quiet = isQuiet ? quiet + 1 : 0;
    const isMemoryFreed = quiet === needed;
    if (isMemoryFreed) [hasFreed, needed] = [true, Number.POSITIVE_INFINITY];
    const isFirst = isStarting && (isQuiet || periods >= mostBeforeFirst);
    if (isFirst) isStarting = false;
    return { isMemoryFreed, isFirst };
  };
}

/** Frees memory whenever `judgeIdleness` says so, and calls `onFirst` once. Returns how to end it. */
export function watchIdleness(onFirst: () => void, periodMs: number = quietMs): () => void {
  const judge = judgeIdleness();
  let last = performance.eventLoopUtilization();
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, last);
    last = now;
    const { isMemoryFreed, isFirst } = judge(utilization < mostBusy);
    if (isMemoryFreed) collectGarbage();
    if (isFirst) onFirst();
  }, periodMs).unref();
  return () => clearInterval(timer);
}

/** V8 takes this flag at any time; a context made while it is set has `gc`. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as NodeJS.GCFunction;
  setFlagsFromString('--no-expose-gc');
  gc({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
