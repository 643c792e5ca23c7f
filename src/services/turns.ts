/** Runs at most so many at once; others wait for their turn, in the order in which they came. */
export function createTurns(most: number): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let free = most;
  const waiting: (() => void)[] = [];

  return async (work) => {
    if (free > 0) free--;
    else await new Promise<void>((go) => waiting.push(go));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free++;
    }
  };
}
