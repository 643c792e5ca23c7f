import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Length of a period, in milliseconds; it is quiet when the event loop was busy for less than `mostBusy` of it. */
const quietMs = 2_500;
const mostBusy = 0.1;
/** Quiet periods after work before memory is freed: requests that arrive during the collection wait for it, a tenth of a second. */
const quietAfterWork = 4;

/**
 * Calls `freeMemory` at the first quiet period, and once after each time of work, because V8 does not return memory in an idle
 * process by itself. Calls `onFirst` once, at the first quiet
 * period or after a minute without one. Returns how to end it.
 */
export function watchIdleness(
  { freeMemory = collectGarbage, onFirst }: { freeMemory?: () => void; onFirst: () => void },
  periodMs: number = quietMs,
): () => void {
  const mostBeforeFirst = 60_000 / quietMs;
  let last = performance.eventLoopUtilization();
  let [periods, quiet, needed] = [0, 0, 1];
  let isFirst = true;
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization();
    const isQuiet = performance.eventLoopUtilization(now, last).utilization < mostBusy;
    last = now;
    periods++;
    if (!isQuiet) needed = periods === 1 ? 1 : quietAfterWork;
    quiet = isQuiet ? quiet + 1 : 0;
    if (quiet === needed) {
      freeMemory();
      needed = Number.POSITIVE_INFINITY;
    }
    if (!isFirst || !(isQuiet || periods >= mostBeforeFirst)) return;
    isFirst = false;
    onFirst();
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
