import type { Store, StoredIntegration } from '../store/store.ts';
import { hashKey, isIntegrationKey, isOperatorKey } from './keys.ts';

export interface OperatorCaller {
  kind: 'operator';
  keyId: string;
}

export type Caller = OperatorCaller | { kind: 'integration'; integration: StoredIntegration };

export interface Authentication {
  /** Null for a key that is malformed, unknown, revoked or expired: the caller must not learn which. */
  identify(key: string): Promise<Caller | null>;
  /** Of an operator key by its hash, under the same conditions. */
  identifyOperator(keyHash: string): Promise<OperatorCaller | null>;
}

export function createAuthentication({ store, now }: { store: Store; now: () => number }): Authentication {
  async function identifyOperator(keyHash: string): Promise<OperatorCaller | null> {
    const keyId = await store.operatorKeys.find(keyHash);
    return keyId === null ? null : { kind: 'operator', keyId };
  }

  return {
    identifyOperator,

    async identify(key) {
      if (isIntegrationKey(key)) {
        const integration = await store.integrations.findByKey(hashKey(key), now());
        return integration && { kind: 'integration', integration };
      }
      return isOperatorKey(key) ? identifyOperator(hashKey(key)) : null;
    },
  };
}
