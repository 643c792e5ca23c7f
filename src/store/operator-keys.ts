import type { NewOperatorKey, StoredOperator, StoredOperatorKey } from './operators.ts';
import type { Page, PageRequest } from './pages.ts';

export interface FoundOperatorKey {
  key: StoredOperatorKey;
  operator: StoredOperator;
}

export interface OperatorKeyStore {
  /** 'too_many': the operator has as many keys that are not revoked as one may have. */
  create(key: NewOperatorKey, most: number): Promise<StoredOperatorKey | 'no_operator' | 'too_many'>;

  /** Newest first, revoked ones among them. */
  list(page: PageRequest, filter: { operatorId?: string }): Promise<Page<StoredOperatorKey>>;

  /** Newest first, without revoked ones. */
  listLiving(operatorId: string): Promise<StoredOperatorKey[]>;

  /** 'last_owner': see `OperatorStore`. */
  revoke(id: string, now: number): Promise<StoredOperatorKey | 'no_key' | 'already_revoked' | 'last_owner'>;

  /** The key with this hash and its operator; null when unknown, revoked, expired at `now`, or of a DISABLED operator. */
  find(keyHash: string, now: number): Promise<FoundOperatorKey | null>;

  /** Never moves the time of the last use back. */
  recordUse(id: string, now: number): Promise<void>;
}
