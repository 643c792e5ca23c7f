import { minuteMs } from '../schemas/durations.ts';
import type { IdleCursor, Store } from '../store/store.ts';
import type { Clock } from './clock.ts';
import { sessionEnded } from './events/session-events.ts';
import { createSteppedSweeper, type Sweeper } from './sweeper.ts';

/** Ends the sessions that the service opened for MCP clients and that are out of use; none while the clock is in doubt. */
export type IdleSessions = Sweeper;

/** How long such a session is kept without an evaluation; milliseconds. */
export const idleMs = 30 * minuteMs;
const lookEveryMs = minuteMs;

export function createIdleSessions(deps: {
  store: Store;
  clock: Pick<Clock, 'now' | 'isHeld'>;
  newId: () => string;
  onError: (error: unknown) => void;
}): IdleSessions {
  const { store, clock, newId, onError } = deps;
  return createSteppedSweeper({ begin, clock, everyMs: lookEveryMs, onError });

  function begin(): () => Promise<boolean> {
    let after: IdleCursor | null = null;
    return async () => {
      const now = clock.now();
      after = await store.sessions.endIdle({ idleSince: now - idleMs, now, after }, (ended) =>
        sessionEnded(ended, now, newId),
      );
      return after !== null;
    };
  }
}
