/** Set by `npm run test:scripts`: a benchmark runs once through all that it does, with the fewest rounds, and measures nothing. */
export const isShort = process.env.BENCH_SHORT === '1';

/** The process ends with 1 when a bar is missed. Short rounds beside other work cannot tell. */
export function missBar(): void {
  if (!isShort) process.exitCode = 1;
}

/**
 * Nanoseconds one call takes: the best of many short rounds, each long enough for the clock and short enough that
 * other work on the machine leaves some of them alone.
 */
export function nanoseconds(run: () => unknown, rounds = isShort ? 1 : 60, roundMs = 5): number {
  let calls = 16;
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; ) {
    const before = performance.now();
    for (let call = 0; call < calls; call += 1) kept = run();
    const elapsed = performance.now() - before;
    if (elapsed < roundMs) calls *= 2;
    else {
      best = Math.min(best, (elapsed * 1e6) / calls);
      round += 1;
    }
  }
  return best;
}

// The result goes somewhere the optimiser cannot see it is never read.
export let kept: unknown;
