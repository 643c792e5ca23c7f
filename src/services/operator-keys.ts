import { AppError } from '../errors.ts';
import type { CreatedOperatorKey, CreateOperatorKey, OperatorKey } from '../schemas/operator-keys.ts';
import type { PageRequest, Store, StoredOperatorKey } from '../store/store.ts';
import { checkRanges } from './address-ranges.ts';
import { localOperatorId, type OperatorCaller } from './authentication.ts';
import { notFound } from './found.ts';
import { createKey, hashKey, lastFourOf, operatorKeyPrefix } from './keys.ts';
import { lastOwner } from './last-owner.ts';
import { type ResponsePage, responsePage } from './pages.ts';
import { isoTime, isoTimeOrNull, parseFutureTime } from './times.ts';

export interface OperatorKeys {
  create(caller: OperatorCaller, request: CreateOperatorKey): Promise<CreatedOperatorKey>;
  list(
    caller: OperatorCaller,
    page: PageRequest,
    filter: { operatorId?: string },
  ): Promise<ResponsePage<OperatorKey>>;
  revoke(caller: OperatorCaller, id: string): Promise<OperatorKey>;
}

/** Keys of one operator that are not revoked. */
const mostKeys = 20;

export function createOperatorKeys(deps: {
  store: Store;
  now: () => number;
  newId: () => string;
}): OperatorKeys {
  const { store, now, newId } = deps;

  /** The command line on the database is no operator: what it makes is for the first owner. */
  async function operatorFor(caller: OperatorCaller, given: string | undefined): Promise<string> {
    if (given !== undefined) return given;
    if (caller.operator.id !== localOperatorId) return caller.operator.id;
    const owner = await store.operators.findFirstOwner();
    if (!owner) throw new AppError('conflict', 'there is no active owner: name the operator');
    return owner.id;
  }

  return {
    async create(caller, { operatorId, name = 'key', expiresAt, ipRanges = [] }) {
      checkRanges(ipRanges, '/ipRanges');
      const key = createKey(operatorKeyPrefix);
      const whose = await operatorFor(caller, operatorId);
      const stored = await store.operatorKeys.create(
        {
          id: newId(),
          operatorId: whose,
          name,
          keyHash: hashKey(key),
          lastFour: lastFourOf(key),
          createdAt: now(),
          expiresAt: expiresAt ? parseFutureTime(expiresAt, now(), '/expiresAt') : null,
          ipRanges,
        },
        mostKeys,
      );
      if (stored === 'no_operator') throw notFound('operator', whose);
      if (stored === 'too_many') {
        throw new AppError('conflict', `the operator has ${mostKeys} keys: revoke one first`);
      }
      return { ...keyResponse(caller.keyId, stored), key };
    },

    list: async (caller, page, filter) =>
      responsePage(await store.operatorKeys.list(page, filter), page, (key) =>
        keyResponse(caller.keyId, key),
      ),

    async revoke(caller, id) {
      const result = await store.operatorKeys.revoke(id, now());
      if (result === 'no_key') throw notFound('operator key', id);
      if (result === 'already_revoked') throw new AppError('conflict', 'the key is already revoked');
      if (result === 'last_owner') throw lastOwner();
      return keyResponse(caller.keyId, result);
    },
  };
}

/** `callerKeyId` is the key that asks; null when it was none. */
export const keyResponse = (callerKeyId: string | null, key: StoredOperatorKey): OperatorKey => ({
  id: key.id,
  operatorId: key.operatorId,
  name: key.name,
  lastFour: key.lastFour,
  current: key.id === callerKeyId,
  createdAt: isoTime(key.createdAt),
  lastUsedAt: isoTimeOrNull(key.lastUsedAt),
  expiresAt: isoTimeOrNull(key.expiresAt),
  ipRanges: key.ipRanges,
  revokedAt: isoTimeOrNull(key.revokedAt),
});
