import { setTimeout as pause } from 'node:timers/promises';
import type { Store } from '../store/store.ts';
import type { Clock } from './clock.ts';

/** Deletes what counters kept in sessions that are over, and in windows that have passed. */
export interface EndedCounters {
  /** Looks now, and from then on every minute. */
  start(): void;
  /** Deletes what has ended by now; nothing while the clock is in doubt. */
  sweep(): Promise<void>;
  /** Lets the step under way finish. */
  stop(): Promise<void>;
}

const lookEveryMs = 60_000;
/** Requests have most of the time between two steps. */
const betweenStepsMs = 25;

export function createEndedCounters(deps: {
  store: Store;
  clock: Pick<Clock, 'now' | 'isHeld'>;
  onError: (error: unknown) => void;
}): EndedCounters {
  const { store, clock, onError } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | null = null;

  /** A clock that jumped ahead may be set back: what it says is over may count again. */
  async function run(): Promise<void> {
    while (!signal.aborted && !(await clock.isHeld())) {
      if (!(await store.counters.forgetEnded(clock.now()))) return;
      await pause(betweenStepsMs, undefined, { signal }).catch(() => undefined);
    }
  }

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
      timer = setInterval(look, lookEveryMs).unref();
    },
    sweep,
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await running?.catch(() => undefined);
    },
  };
}
