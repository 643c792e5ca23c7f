import { type Awaitable, chain } from '../../awaitable.ts';
import { minuteMs } from '../../schemas/durations.ts';
import type {
  FoundIntegrationKey,
  Store,
  StoredIntegration,
  StoredIntegrationKey,
  StoredOperator,
  StoredOperatorKey,
} from '../../store/store.ts';
import { isWithin } from './address-ranges.ts';
import { type HashedKey, isIntegrationKey, isOperatorKey } from './keys.ts';

export interface OperatorCaller {
  kind: 'operator';
  /** Null when no key was used: the identity provider said who it is. */
  keyId: string | null;
  operator: Pick<StoredOperator, 'id' | 'name' | 'roles' | 'groups' | 'entityId'>;
}

export interface IntegrationCaller {
  kind: 'integration';
  integration: StoredIntegration;
  key: Pick<StoredIntegrationKey, 'id' | 'scopes'>;
  keyHash: string;
  /** The revision of the integration's deciding resources, as the key was found: as of a later one it may be revoked. */
  revision: number;
}

export type Caller = OperatorCaller | IntegrationCaller;

/** The operator of the command line on the database file: whoever can write the file may do everything to it. */
export const localOperatorId = 'local';
export const localOperatorName = 'command line';

export interface Authentication {
  /**
   * Null for a key that is malformed, unknown, revoked or expired, of a disabled operator, or used from an address that it
   * may not be used from: the caller must not learn which.
   */
  identify(key: HashedKey, address: string): Awaitable<Caller | null>;
  /** Finds an operator by the hash of a key, under the same conditions. */
  identifyOperator(keyHash: string, address: string): Promise<OperatorCaller | null>;
  /** An operator without a key. Null when it is unknown or disabled, or may not call from this address. */
  identifyWithoutKey(operatorId: string, address: string): Promise<OperatorCaller | null>;
}

/** How often the last use of a key is written, in milliseconds: each write is one to the disk. */
const useEveryMs = minuteMs;
const mostRemembered = 10_000;

export function createAuthentication(deps: {
  store: Store;
  now: () => number;
  /** From where operators may call; empty is from everywhere. */
  operatorNetworks: readonly string[];
  onError: (error: unknown) => void;
}): Authentication {
  const { store, now, operatorNetworks, onError } = deps;
  const integrationUses = new Map<string, number>();

  /** Not awaited: a read does not wait for the disk because of it. */
  function recordUse({ id, lastUsedAt }: StoredOperatorKey): void {
    const at = now();
    if (lastUsedAt !== null && at - lastUsedAt < useEveryMs) return;
    store.operatorKeys.recordUse(id, at).catch(onError);
  }

  /** By the time of the last use that is known here: keys of integrations are kept in memory as they were first read. */
  function recordIntegrationUse({ id, lastUsedAt }: StoredIntegrationKey): void {
    const at = now();
    const last = integrationUses.get(id) ?? lastUsedAt;
    if (last !== null && at - last < useEveryMs) return;
    if (integrationUses.size >= mostRemembered) integrationUses.clear();
    integrationUses.set(id, at);
    store.integrationKeys.recordUse(id, at).catch(onError);
  }

  const isOperatorNetwork = (address: string): boolean =>
    operatorNetworks.length === 0 || isWithin(operatorNetworks, address);

  async function identifyOperator(keyHash: string, address: string): Promise<OperatorCaller | null> {
    const known = await store.operatorKeys.find(keyHash, now());
    if (!known) return null;
    const { ipRanges } = known.key;
    const isLocal = known.operator.id === localOperatorId;
    if (!isLocal && !isOperatorNetwork(address)) return null;
    if (ipRanges.length > 0 && !isWithin(ipRanges, address)) return null;
    if (!isLocal) recordUse(known.key);
    return { kind: 'operator', keyId: known.key.id, operator: known.operator };
  }

  function integrationCaller(
    { integration, key, revision }: FoundIntegrationKey,
    keyHash: string,
  ): IntegrationCaller {
    recordIntegrationUse(key);
    return { kind: 'integration', integration, key, keyHash, revision };
  }

  return {
    identifyOperator,

    async identifyWithoutKey(operatorId, address) {
      const operator = await store.operators.find(operatorId);
      if (operator?.status !== 'ACTIVE' || !isOperatorNetwork(address)) return null;
      return { kind: 'operator', keyId: null, operator };
    },

    identify({ key, hash }, address) {
      if (isIntegrationKey(key))
        return chain(
          store.integrationKeys.find(hash, now()),
          (found) => found && integrationCaller(found, hash),
        );
      return isOperatorKey(key) ? identifyOperator(hash, address) : null;
    },
  };
}

/** Who did something, by the id of the operator; `name` null for an id that no operator has. */
export const personOf = (id: string, name: string | null): { id: string; name: string } => ({
  id,
  // An operator key decided before operators had names.
  name: name ?? (id === localOperatorId ? localOperatorName : 'operator key'),
});

/** The operators that are one person: this one, and all others with the same `entityId`. */
export async function operatorsOfPerson(
  { operators }: Pick<Store, 'operators'>,
  { id, entityId }: Pick<OperatorCaller['operator'], 'id' | 'entityId'>,
): Promise<readonly string[]> {
  return entityId === null ? [id] : [...new Set([id, ...(await operators.listIdsOfEntity(entityId))])];
}
