import type { Store, StoredIntegration, StoredOperator, StoredOperatorKey } from '../store/store.ts';
import { isWithin } from './address-ranges.ts';
import { type HashedKey, isIntegrationKey, isOperatorKey } from './keys.ts';

export interface OperatorCaller {
  kind: 'operator';
  keyId: string;
  operator: Pick<StoredOperator, 'id' | 'name' | 'roles' | 'groups' | 'entityId'>;
}

export type Caller = OperatorCaller | { kind: 'integration'; integration: StoredIntegration };

/** The operator of the command line on the database file: whoever can write the file may do everything to it. */
export const localOperatorId = 'local';
export const localOperatorName = 'command line';

export interface Authentication {
  /**
   * Null for a key that is malformed, unknown, revoked or expired, of a disabled operator, or used from an address that it
   * may not be used from: the caller must not learn which.
   */
  identify(key: HashedKey, address: string): Promise<Caller | null>;
  /** Of an operator key by its hash, under the same conditions. */
  identifyOperator(keyHash: string, address: string): Promise<OperatorCaller | null>;
}

/** How often the last use of a key is written, in milliseconds: each write is one to the disk. */
const useEveryMs = 60_000;

export function createAuthentication(deps: {
  store: Store;
  now: () => number;
  onError: (error: unknown) => void;
}): Authentication {
  const { store, now, onError } = deps;

  function recordUse({ id, lastUsedAt }: StoredOperatorKey): void {
    const at = now();
    if (lastUsedAt !== null && at - lastUsedAt < useEveryMs) return;
    // Not awaited: a read does not wait for the disk because of it.
    store.operatorKeys.recordUse(id, at).catch(onError);
  }

  async function identifyOperator(keyHash: string, address: string): Promise<OperatorCaller | null> {
    const known = await store.operatorKeys.find(keyHash, now());
    if (!known) return null;
    const { ipRanges } = known.key;
    if (ipRanges.length > 0 && !isWithin(ipRanges, address)) return null;
    if (known.operator.id !== localOperatorId) recordUse(known.key);
    return { kind: 'operator', keyId: known.key.id, operator: known.operator };
  }

  return {
    identifyOperator,

    async identify({ key, hash }, address) {
      if (isIntegrationKey(key)) {
        const integration = await store.integrations.findByKey(hash, now());
        return integration && { kind: 'integration', integration };
      }
      return isOperatorKey(key) ? identifyOperator(hash, address) : null;
    },
  };
}
