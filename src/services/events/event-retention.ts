import { dayMs } from '../../schemas/durations.ts';
import type { Store } from '../../store/store.ts';
import type { Clock } from '../clock.ts';
import { createSweeper, type Sweeper } from '../sweeper.ts';

/** Keeps the event log within its age and its size; by age nothing is deleted while the clock is in doubt. */
export type EventRetention = Sweeper;

const lookEveryMs = 10_000;

export interface EventLimits {
  days: number;
  bytes: number;
}

export function createEventRetention(deps: {
  store: Store;
  clock: Pick<Clock, 'now' | 'isHeld'>;
  limits: EventLimits;
  onError: (error: unknown) => void;
}): EventRetention {
  const { store, clock, limits, onError } = deps;
  return createSweeper({
    everyMs: lookEveryMs,
    onError,
    async run() {
      const before = (await clock.isHeld()) ? 0 : clock.now() - limits.days * dayMs;
      while (await store.events.prune(before, limits.bytes));
    },
  });
}
