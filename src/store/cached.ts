import { type Awaitable, chain } from '../awaitable.ts';
import type { FoundIntegrationKey } from '../features/integrations/store.ts';
import type { PoliciesInForce } from '../features/policies/store-in-force.ts';
import type { Store } from './store.ts';

/**
 * The store, with what every request reads of it kept in memory: the callers that were found by their keys, and the
 * policies in force. All of it is dropped when `changeCount` differs from its last value. A backend says by that how late
 * it learns of a change; one of this process must count at once. It is called by every such read, so it must be cheap.
 *
 * It is dropped as well when a caller and the policies of its integration were read as of different revisions: an evaluation by
 * the two would be refused until the change is told.
 *
 * It may differ although nothing changed: policies in force that are read again and have the revision that they had are the
 * same object, so that what was compiled of them stays.
 */
export function cached(store: Store, changeCount: () => number): Store {
  let callers = new Map<string, FoundIntegrationKey>();
  /** Keys that are being read: requests that arrive meanwhile wait for the same read. */
  let reading = new Map<string, Promise<FoundIntegrationKey | null>>();
  /** A promise while it is being read. */
  let inForce = new Map<string, Awaitable<PoliciesInForce | null>>();
  let inForceBefore: typeof inForce = new Map();
  /** For each integration, the revision as of which something of it was read. */
  let revisions = new Map<string, number>();
  let seen: number | null = null;

  function dropOutdated(): void {
    const count = changeCount();
    if (count === seen) return;
    seen = count;
    drop();
  }
  function drop(): void {
    revisions = new Map();
    // Replaced, not cleared: what is being read now may be outdated when it comes, and must not be kept as current.
    callers = new Map();
    reading = new Map();
    inForceBefore = inForce;
    inForce = new Map();
  }

  function noteRevision(integrationId: string, revision: number): void {
    const known = revisions.get(integrationId);
    if (known !== undefined && known !== revision) drop();
    revisions.set(integrationId, revision);
  }

  async function readCaller(keyHash: string, now: number): Promise<FoundIntegrationKey | null> {
    const kept = callers;
    const caller = await store.integrationKeys.find(keyHash, now);
    if (!caller) return null;
    noteRevision(caller.integration.id, caller.revision);
    kept.set(keyHash, caller);
    return caller;
  }
  function readCallerOnce(keyHash: string, now: number): Promise<FoundIntegrationKey | null> {
    const current = reading;
    const found = current.get(keyHash) ?? readCaller(keyHash, now).finally(() => current.delete(keyHash));
    current.set(keyHash, found);
    return found;
  }

  async function readInForce(
    integrationId: string,
    before: Awaitable<PoliciesInForce | null> | undefined,
  ): Promise<PoliciesInForce | null> {
    const found = await store.policies.findInForce(integrationId);
    if (found) noteRevision(integrationId, found.revision);
    const last = await Promise.resolve(before).catch(() => null);
    return found && last?.revision === found.revision ? last : found;
  }

  async function readInForceOnce(integrationId: string): Promise<PoliciesInForce | null> {
    const kept = inForce;
    const reading = readInForce(integrationId, inForceBefore.get(integrationId));
    kept.set(integrationId, reading);
    try {
      const found = await reading;
      kept.set(integrationId, found);
      return found;
    } catch (error) {
      kept.delete(integrationId);
      throw error;
    }
  }

  return {
    ...store,
    integrationKeys: {
      ...store.integrationKeys,
      find(keyHash, now) {
        dropOutdated();
        return chain(callers.get(keyHash) ?? readCallerOnce(keyHash, now), (caller) =>
          caller && (caller.key.expiresAt === null || caller.key.expiresAt > now) ? caller : null,
        );
      },
    },
    policies: {
      ...store.policies,
      findInForce(integrationId) {
        dropOutdated();
        const known = inForce.get(integrationId);
        return known === undefined ? readInForceOnce(integrationId) : known;
      },
    },
  };
}
