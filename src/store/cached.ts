import type { FoundIntegrationKey } from './integration-keys.ts';
import type { PoliciesInForce } from './policies.ts';
import type { Store } from './store.ts';

/**
 * The store, with what every request reads of it kept in memory: the callers that were found by their keys, and the
 * policies in force. All of it is dropped when `changeCount` differs from its last value. A backend says by that how late
 * it learns of a change; one of this process must count at once. It is called by every such read, so it must be cheap.
 */
export function cached(store: Store, changeCount: () => number): Store {
  let callers = new Map<string, FoundIntegrationKey>();
  let inForce = new Map<string, Promise<PoliciesInForce | null>>();
  let seen: number | null = null;

  function dropOutdated(): void {
    const count = changeCount();
    if (count === seen) return;
    seen = count;
    // Replaced, not cleared: what is being read now may be outdated when it comes, and must not be kept as current.
    callers = new Map();
    inForce = new Map();
  }

  return {
    ...store,
    integrationKeys: {
      ...store.integrationKeys,
      async find(keyHash, now) {
        dropOutdated();
        const known = callers.get(keyHash);
        if (known) return known.key.expiresAt === null || known.key.expiresAt > now ? known : null;
        const kept = callers;
        const caller = await store.integrationKeys.find(keyHash, now);
        if (caller) kept.set(keyHash, caller);
        return caller;
      },
    },
    policies: {
      ...store.policies,
      async findInForce(integrationId) {
        dropOutdated();
        const known = inForce.get(integrationId);
        if (known) return known;
        const kept = inForce;
        const found = store.policies.findInForce(integrationId);
        kept.set(integrationId, found);
        try {
          return await found;
        } catch (error) {
          kept.delete(integrationId);
          throw error;
        }
      },
    },
  };
}
