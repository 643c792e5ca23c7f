import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** How long the process must have had nearly nothing to do: the collection holds up whoever comes in that tenth of a second. */
const quietMs = 2_500;
const mostBusy = 0.1;

/**
 * Frees once what the start has left, some 15 MB: V8 gives a young generation back only where it has seen a process allocate
 * little, and one that is idle from its start on allocates too little to be looked at. A process that has work by then
 * keeps it, because it would soon need as much again.
 */
export function freeMemoryWhenIdle(afterMs: number = quietMs): void {
  const start = performance.eventLoopUtilization();
  setTimeout(() => {
    if (performance.eventLoopUtilization(start).utilization < mostBusy) collectGarbage();
  }, afterMs).unref();
}

/** V8 takes this flag at any time; a context made while it is set has `gc`. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as NodeJS.GCFunction;
  setFlagsFromString('--no-expose-gc');
  gc({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
