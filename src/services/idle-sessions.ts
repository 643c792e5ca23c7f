import { setTimeout as pause } from 'node:timers/promises';
import { minuteMs } from '../schemas/durations.ts';
import type { IdleCursor, Store } from '../store/store.ts';
import type { Clock } from './clock.ts';
import { sessionEnded } from './events/session-events.ts';
import { createSweeper, type Sweeper } from './sweeper.ts';

/** Ends the sessions that the service opened for MCP clients and that are out of use; none while the clock is in doubt. */
export type IdleSessions = Sweeper;

/** How long such a session is kept without an evaluation; milliseconds. */
export const idleMs = 30 * minuteMs;
const lookEveryMs = minuteMs;
/** Requests have most of the time between two steps. */
const betweenStepsMs = 25;

export function createIdleSessions(deps: {
  store: Store;
  clock: Pick<Clock, 'now' | 'isHeld'>;
  newId: () => string;
  onError: (error: unknown) => void;
}): IdleSessions {
  const { store, clock, newId, onError } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  const sweeper = createSweeper({ run, everyMs: lookEveryMs, onError });

  /** A clock that jumped ahead may be set back: what it says is idle may be in use. */
  async function run(): Promise<void> {
    let after: IdleCursor | null = null;
    while (!signal.aborted && !(await clock.isHeld())) {
      const now = clock.now();
      after = await store.sessions.endIdle({ idleSince: now - idleMs, now, after }, (ended) =>
        sessionEnded(ended, now, newId),
      );
      if (!after) return;
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
