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
