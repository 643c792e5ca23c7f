import { setImmediate } from 'node:timers/promises';

/** Milliseconds after which work on large content lets other requests run. */
const longestStep = 5;

/** Awaited between the parts of what takes long: others run when enough time has passed. */
export type NextStep = () => Promise<void>;

export function createSteps(): NextStep {
  let beganAt = performance.now();
  return async () => {
    if (performance.now() - beganAt < longestStep) return;
    await setImmediate();
    beganAt = performance.now();
  };
}

/** Runs to the end what pauses by itself, in steps. */
export async function finish<Result>(work: Generator<void, Result>): Promise<Result> {
  const step = createSteps();
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    await step();
  }
}

/** `items.map(of)`, in steps. */
export async function inSteps<Item, Result>(
  items: readonly Item[],
  of: (item: Item) => Result,
): Promise<Result[]> {
  const step = createSteps();
  const results: Result[] = [];
  for (const item of items) {
    results.push(of(item));
    await step();
  }
  return results;
}
