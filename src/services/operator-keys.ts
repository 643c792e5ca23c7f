import { AppError } from '../errors.ts';
import type { CreatedOperatorKey, OperatorKey } from '../schemas/operator-keys.ts';
import type { PageRequest, Store, StoredOperatorKey } from '../store/store.ts';
import { notFound } from './found.ts';
import { createKey, hashKey, operatorKeyPrefix } from './keys.ts';
import { type AnsweredPage, answerPage } from './pages.ts';
import { isoTime, isoTimeOrNull } from './times.ts';

/** `caller` is the id of the key that asks. */
export interface OperatorKeys {
  create(caller: string): Promise<CreatedOperatorKey>;
  list(caller: string, page: PageRequest): Promise<AnsweredPage<OperatorKey>>;
  revoke(caller: string, id: string): Promise<OperatorKey>;
}

export function createOperatorKeys(deps: {
  store: Store;
  now: () => number;
  newId: () => string;
}): OperatorKeys {
  const { store, now, newId } = deps;
  return {
    async create(caller) {
      const key = createKey(operatorKeyPrefix);
      const stored = { id: newId(), keyHash: hashKey(key), createdAt: now() };
      return { ...answer(caller, await store.operatorKeys.create(stored)), key };
    },

    list: async (caller, page) =>
      answerPage(await store.operatorKeys.list(page), page, (key) => answer(caller, key)),

    async revoke(caller, id) {
      const result = await store.operatorKeys.revoke(id, now());
      if (result === 'no_key') throw notFound('operator key', id);
      if (result === 'already_revoked') throw new AppError('conflict', 'the key is already revoked');
      if (result === 'last_key') {
        throw new AppError('conflict', 'the last operator key is never revoked: create another before');
      }
      return answer(caller, result);
    },
  };
}

const answer = (caller: string, { id, createdAt, revokedAt }: StoredOperatorKey): OperatorKey => ({
  id,
  current: id === caller,
  createdAt: isoTime(createdAt),
  revokedAt: isoTimeOrNull(revokedAt),
});
