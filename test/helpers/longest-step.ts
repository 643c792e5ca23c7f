/** Processor time of this thread, in milliseconds. */
function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

function fixedWork(): number {
  let kept = 1;
  for (let n = 0; n < 1_000_000; n += 1) kept = (Math.imul(kept, 31) + (kept >>> 7) + n) | 0;
  return kept;
}

/** Processor time of the fixed work, in milliseconds, on the slowest machine on which the bounds of tests apply unscaled. */
const slowestMs = 6.5;

/** How many times slower than that this machine is at the moment, never less than 1: bounds of processor time hold relative to it. */
function slowness(): number {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 5; round += 1) {
    const before = threadMs();
    fixedWork();
    least = Math.min(least, threadMs() - before);
  }
  return Math.max(1, least / slowestMs);
}

/** Processor time of this thread for `work`, in milliseconds of a machine that is not slow. */
export function processorMs(work: () => unknown): number {
  const before = threadMs();
  work();
  return (threadMs() - before) / slowness();
}

/**
 * The most processor time of this thread between two turns of its event loop, in milliseconds of a machine that is not slow: other
 * programs do not count.
 */
export async function longestStep(work: () => Promise<unknown>): Promise<number> {
  let [longest, last] = [0, threadMs()];
  const look = (): void => {
    const now = threadMs();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const timer = setInterval(look, 1);
  await work();
  look();
  clearInterval(timer);
  return longest / slowness();
}
