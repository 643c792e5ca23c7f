import type { Store } from '../store/store.ts';
import { createSweeper, type Sweeper } from './sweeper.ts';

/** Activates scheduled policy versions when they are due, even when no evaluation arrives. */
export type DueVersions = Sweeper;

/** An evaluation looks for itself, so this is only how late other reads may be. A look reads a few rows. */
const lookEveryMs = 5_000;

export function createDueVersions(deps: {
  store: Store;
  now: () => number;
  /** Gets the policies whose version became current. */
  onActivated: (policyIds: readonly string[]) => Promise<void>;
  onError: (error: unknown) => void;
}): DueVersions {
  const { store, now, onActivated, onError } = deps;
  return createSweeper({
    async run() {
      const activated = await store.policies.activateDue(now());
      if (activated.length > 0) await onActivated(activated.map(({ id }) => id));
    },
    everyMs: lookEveryMs,
    onError,
  });
}
