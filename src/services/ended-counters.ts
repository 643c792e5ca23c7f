import { setTimeout as pause } from 'node:timers/promises';
import { minuteMs } from '../schemas/durations.ts';
import type { Store } from '../store/store.ts';
import type { Clock } from './clock.ts';
import { createSweeper, type Sweeper } from './sweeper.ts';

/** Deletes what counters and provenance kept in sessions that are over, and counters in windows that have passed; nothing while the clock is in doubt. */
export type EndedCounters = Sweeper;

const lookEveryMs = minuteMs;
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
  const sweeper = createSweeper({ run, everyMs: lookEveryMs, onError });

  /** A clock that jumped ahead may be set back: what it says is over may count again. */
  async function run(): Promise<void> {
    while (!signal.aborted && !(await clock.isHeld())) {
      const counters = await store.counters.forgetEnded(clock.now());
      const sightings = await store.sightings.forgetEnded(clock.now());
      if (!counters && !sightings) return;
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
