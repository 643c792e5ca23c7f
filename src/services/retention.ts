import { setTimeout as pause } from 'node:timers/promises';
import { dayMs, minuteMs } from '../schemas/durations.ts';
import type { Store } from '../store/store.ts';
import type { Clock } from './clock.ts';
import { createSteppedSweeper, type Sweeper } from './sweeper.ts';

/** Deletes content once it is old, and keeps the record of what was decided. */
export interface Retention {
  /** Sweeps now, and every hour from then on; while it is held it looks every minute whether it still is. */
  start(): void;
  /** Deletes all that is old enough by now; nothing after the clock jumped ahead, until an operator confirms it. */
  sweep(): Promise<void>;
  /** Lets the step under way finish. */
  stop(): Promise<void>;
}

const betweenLooksMs = minuteMs;
const looksBetweenSweeps = 60;
/** A step takes a few milliseconds of the event loop: requests have most of the time between. */
const betweenStepsMs = 25;

/** `days` 0 keeps content of evaluations for ever. */
export function createRetention(deps: {
  store: Store;
  clock: Pick<Clock, 'now' | 'isHeld'>;
  days: number;
  /** Content that is old enough waits for an operator. Called once for each time it is held. */
  onHold: () => void;
  onError: (error: unknown) => void;
}): Retention {
  const { store, clock, days, onHold, onError } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | null = null;
  let held = false;
  let looks = 0;
  let isFirst = true;

  /** Asked before each step: the clock may jump while it sweeps. */
  async function mayDelete(): Promise<boolean> {
    const wasHeld = held;
    held = await clock.isHeld();
    if (held && !wasHeld) onHold();
    return !held;
  }

  async function run(): Promise<void> {
    let hasDeleted = false;
    while (days > 0 && !signal.aborted && (await mayDelete())) {
      if (!(await store.evaluations.forgetContent(clock.now() - days * dayMs))) break;
      hasDeleted = true;
      await pause(betweenStepsMs, undefined, { signal }).catch(() => undefined);
    }
    // Content of reviews and stored responses is deleted whatever the setting is. The first sweep follows the start, before
    // which nothing was: it would only start a thread to cut off a short log.
    const isDue = hasDeleted || !isFirst;
    isFirst = false;
    if (isDue && !signal.aborted) await store.overwriteDeleted();
  }

  function sweep(): Promise<void> {
    running ??= run().finally(() => {
      running = null;
    });
    return running;
  }

  return {
    start() {
      const look = (): void => {
        if (looks++ % looksBetweenSweeps === 0 || held) sweep().catch(onError);
      };
      look();
      timer = setInterval(look, betweenLooksMs).unref();
    },
    sweep,
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await running?.catch(() => undefined);
    },
  };
}

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
