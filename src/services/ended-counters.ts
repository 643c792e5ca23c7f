import { minuteMs } from '../schemas/durations.ts';
import type { Store } from '../store/store.ts';
import type { Clock } from './clock.ts';
import { createSteppedSweeper, type Sweeper } from './sweeper.ts';

/**
 * Deletes what counters and provenance kept in sessions that are over, counters in windows that have passed, and responses whose
 * idempotency keys are forgotten: they show content. Nothing while the clock is in doubt.
 */
export type EndedCounters = Sweeper;

const lookEveryMs = minuteMs;

export function createEndedCounters(deps: {
  store: Store;
  clock: Pick<Clock, 'now' | 'isHeld'>;
  /** How long idempotency keys are remembered. */
  idempotencyMs: number;
  onError: (error: unknown) => void;
}): EndedCounters {
  const { store, clock, idempotencyMs, onError } = deps;
  return createSteppedSweeper({ begin: () => step, clock, everyMs: lookEveryMs, onError });

  async function step(): Promise<boolean> {
    const counters = await store.counters.forgetEnded(clock.now());
    const sightings = await store.sightings.forgetEnded(clock.now());
    const responses = await store.evaluations.forgetResponses(clock.now() - idempotencyMs);
    return counters || sightings || responses;
  }
}
