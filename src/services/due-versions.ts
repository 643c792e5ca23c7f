import { scheduledActivation } from '../features/events/management-events.ts';
import type { Store } from '../store/store.ts';
import { createSweeper, type Sweeper } from './sweeper.ts';

/** Activates scheduled policy versions when they are due, even when no evaluation arrives. */
export type DueVersions = Sweeper;

/** An evaluation looks for itself, so this is only how late other reads may be. A look reads a few rows. */
const lookEveryMs = 5_000;

export function createDueVersions(deps: {
  store: Store;
  now: () => number;
  newId: () => string;
  onError: (error: unknown) => void;
}): DueVersions {
  const { store, now, newId, onError } = deps;
  return createSweeper({
    async run() {
      await store.policies.activateDue(now(), scheduledActivation(newId));
    },
    everyMs: lookEveryMs,
    onError,
  });
}
