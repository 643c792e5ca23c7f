import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Test } from 'tap';

/** Collects garbage every few milliseconds, as a busy process does, so that what nothing holds is gone soon. */
export function collectGarbage(t: Test): void {
  setFlagsFromString('--expose-gc');
  const timer = setInterval(runInNewContext('gc'), 10);
  t.teardown(() => clearInterval(timer));
}
