import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from './clock.ts';

/** Background work that comes back at intervals. Calls of `sweep` while one is running share it. */
export interface Sweeper {
  /** Sweeps now, and from then on at each interval. */
  start(): void;
  sweep(): Promise<void>;
  /** Starts no further sweep, and waits for the running one. */
  stop(): Promise<void>;
}

export function createSweeper(deps: {
  run: () => Promise<void>;
  everyMs: number;
  /** Gets the errors of sweeps that `start` began. */
  onError: (error: unknown) => void;
}): Sweeper {
  const { run, everyMs, onError } = deps;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | null = null;

  function sweep(): Promise<void> {
    running ??= run().finally(() => {
      running = null;
    });
    return running;
  }

  return {
    start() {
      const look = (): void => void sweep().catch(onError);
      look();
      timer = setInterval(look, everyMs).unref();
    },
    sweep,
    async stop() {
      clearInterval(timer);
      await running?.catch(() => undefined);
    },
  };
}

/** Requests have most of the time between two steps. */
const betweenStepsMs = 25;

/**
 * A sweep in steps of a few milliseconds. `begin` begins a sweep: what it returns does one step, and resolves to whether there
 * is more. No step begins once `stop` is called, nor while the clock is in doubt: one that jumped ahead may be set back.
 */
export function createSteppedSweeper(deps: {
  begin: () => () => Promise<boolean>;
  clock: Pick<Clock, 'isHeld'>;
  everyMs: number;
  onError: (error: unknown) => void;
}): Sweeper {
  const { begin, clock, everyMs, onError } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  const sweeper = createSweeper({ run, everyMs, onError });

  async function run(): Promise<void> {
    const step = begin();
    while (!signal.aborted && !(await clock.isHeld())) {
      if (!(await step())) return;
      await pause(betweenStepsMs, undefined, { signal }).catch(() => undefined);
    }
  }

  return {
    ...sweeper,
    stop() {
      stopping.abort();
      return sweeper.stop();
    },
  };
}
