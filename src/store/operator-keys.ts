import type { Page, PageRequest } from './pages.ts';

export interface StoredOperatorKey {
  id: string;
  createdAt: number;
  revokedAt: number | null;
}

export interface OperatorKeyStore {
  /** Whether any operator key was ever created. */
  exist(): Promise<boolean>;

  /** Creates the key only when no operator key was ever created; false when one was. Two racing firsts give one true. */
  createFirst(key: { id: string; keyHash: string; createdAt: number }): Promise<boolean>;

  create(key: { id: string; keyHash: string; createdAt: number }): Promise<StoredOperatorKey>;

  /** Newest first, revoked ones among them. */
  list(page: PageRequest): Promise<Page<StoredOperatorKey>>;

  /** Never revokes the last one that is not: nobody could let themselves in again. */
  revoke(id: string, now: number): Promise<StoredOperatorKey | 'no_key' | 'already_revoked' | 'last_key'>;

  /** The id of the operator key with this hash; null when unknown or revoked. */
  find(keyHash: string): Promise<string | null>;
}
