import { setTimeout as pause } from 'node:timers/promises';
import type { Store } from '../store/store.ts';

/** Deletes content once it is old, and keeps the record of what was decided. */
export interface Retention {
  /** Sweeps now, and every hour from then on. */
  start(): void;
  /** Deletes all that is old enough by now. */
  sweep(): Promise<void>;
  /** Lets the step under way finish. */
  stop(): Promise<void>;
}

const dayMs = 86_400_000;
const betweenSweepsMs = 3_600_000;
/** A step takes a few milliseconds of the event loop: requests have most of the time between. */
const betweenStepsMs = 25;

/** `days` 0 keeps content for ever. */
export function createRetention(deps: {
  store: Store;
  now: () => number;
  days: number;
  onError: (error: unknown) => void;
}): Retention {
  const { store, now, days, onError } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | null = null;

  async function run(): Promise<void> {
    while (!signal.aborted && (await store.evaluations.forgetContent(now() - days * dayMs))) {
      await pause(betweenStepsMs, undefined, { signal }).catch(() => undefined);
    }
  }

  function sweep(): Promise<void> {
    if (days === 0) return Promise.resolve();
    running ??= run().finally(() => {
      running = null;
    });
    return running;
  }

  return {
    start() {
      if (days === 0) return;
      const look = (): void => void sweep().catch(onError);
      look();
      timer = setInterval(look, betweenSweepsMs).unref();
    },
    sweep,
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await running?.catch(() => undefined);
    },
  };
}
