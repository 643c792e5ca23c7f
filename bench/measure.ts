/**
 * Nanoseconds one call takes: the best of some rounds, each long enough for the clock. Counts the time of this thread
 * on a processor, so that other work on the machine matters little.
 */
export function nanoseconds(run: () => unknown, rounds = 7, roundMs = 60): number {
  let calls = 16;
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; ) {
    const before = process.threadCpuUsage();
    for (let call = 0; call < calls; call += 1) kept = run();
    const { user, system } = process.threadCpuUsage(before);
    const elapsed = (user + system) * 1000;
    if (elapsed < roundMs * 1e6) calls *= 2;
    else {
      best = Math.min(best, elapsed / calls);
      round += 1;
    }
  }
  return best;
}

// The result goes somewhere the optimiser cannot see it is never read.
export let kept: unknown;
