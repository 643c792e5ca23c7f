/** Nanoseconds one call takes: the best of some rounds, each long enough for the clock. */
export function nanoseconds(run: () => unknown, rounds = 7, roundMs = 60): number {
  let calls = 16;
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; ) {
    const start = process.hrtime.bigint();
    for (let call = 0; call < calls; call += 1) kept = run();
    const elapsed = Number(process.hrtime.bigint() - start);
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
