import type { Store, StoredIntegration } from '../store/store.ts';
import { hashKey, isIntegrationKey, isOperatorKey } from './keys.ts';

export type Caller =
  | { kind: 'operator'; keyId: string }
  | { kind: 'integration'; integration: StoredIntegration };

export interface Authentication {
  /** Null for a key that is malformed, unknown, revoked or expired: the caller must not learn which. */
  identify(key: string): Promise<Caller | null>;
}

export function createAuthentication({ store, now }: { store: Store; now: () => number }): Authentication {
  return {
    async identify(key) {
      if (isIntegrationKey(key)) {
        const integration = await store.integrations.findByKey(hashKey(key), now());
        return integration && { kind: 'integration', integration };
      }
      if (isOperatorKey(key)) {
        const keyId = await store.operatorKeys.find(hashKey(key));
        return keyId === null ? null : { kind: 'operator', keyId };
      }
      return null;
    },
  };
}
