import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Test } from 'tap';

function collector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}

/** Collects garbage every few milliseconds, as a busy process does, so that what nothing holds is gone soon. */
export function collectGarbage(t: Test): void {
  const timer = setInterval(collector(), 10);
  t.teardown(() => clearInterval(timer));
}

/** In bytes, of what is still held. */
export function heapUsed(): number {
  collector()();
  return process.memoryUsage().heapUsed;
}
