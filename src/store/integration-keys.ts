import type { KeyScope } from '../schemas/integration-keys.ts';
import type { NewKey, StoredIntegration } from './integrations.ts';
import type { Page, PageRequest } from './pages.ts';

export interface StoredIntegrationKey {
  id: string;
  integrationId: string;
  name: string;
  /** Null for keys of old versions. */
  lastFour: string | null;
  scopes: readonly KeyScope[];
  createdAt: number;
  lastUsedAt: number | null;
  expiresAt: number | null;
  revokedAt: number | null;
}

export interface FoundIntegrationKey {
  key: StoredIntegrationKey;
  integration: StoredIntegration;
  /** Of what decides for the integration, read with the key: every change of its keys raises it. */
  revision: number;
}

/** A key is live until it is revoked or expires. */
export interface IntegrationKeyStore {
  /** 'too_many': the integration has `most` live keys. */
  create(
    integrationId: string,
    key: NewKey,
    now: number,
    most: number,
  ): Promise<StoredIntegrationKey | 'no_integration' | 'too_many'>;

  /** Newest first, revoked ones among them. Null when there is no such integration. */
  list(integrationId: string, page: PageRequest): Promise<Page<StoredIntegrationKey> | null>;

  /**
   * Adds a key with the name and scopes of a live one, which expires at `until` unless it does earlier, in one step.
   * 'not_live': it was revoked, or has expired.
   */
  rotate(
    integrationId: string,
    id: string,
    key: Omit<NewKey, 'name' | 'scopes'>,
    terms: { now: number; until: number; most: number },
  ): Promise<
    | { created: StoredIntegrationKey; replaces: StoredIntegrationKey }
    | 'no_integration'
    | 'no_key'
    | 'not_live'
    | 'too_many'
  >;

  revoke(
    integrationId: string,
    id: string,
    now: number,
  ): Promise<StoredIntegrationKey | 'no_key' | 'already_revoked'>;

  /** The live key with this hash, and its integration; null when it is unknown, revoked, or expired at `now`. */
  find(keyHash: string, now: number): Promise<FoundIntegrationKey | null>;

  /** Never moves the time of the last use back. */
  recordUse(id: string, now: number): Promise<void>;
}
