import { AppError } from '../errors.ts';
import { hourMs } from '../schemas/durations.ts';
import {
  type CreatedIntegrationKey,
  type CreateIntegrationKey,
  type IntegrationKey,
  type KeyScope,
  keyScopes,
  type RotatedIntegrationKey,
  type RotateIntegrationKey,
} from '../schemas/integration-keys.ts';
import type { NewKey, PageRequest, Store, StoredIntegrationKey } from '../store/store.ts';
import type { OperatorCaller } from './authentication.ts';
import { found, notFound } from './found.ts';
import { createKey, hashKey, integrationKeyPrefix, keyPrefixOf, lastFourOf } from './keys.ts';
import { type ResponsePage, responsePage } from './pages.ts';
import { isoTime, isoTimeOrNull, parseFutureTime } from './times.ts';

export interface IntegrationKeys {
  /** The key is in this response and in no later one. */
  create(
    caller: Issuer,
    integrationId: string,
    request: CreateIntegrationKey,
  ): Promise<CreatedIntegrationKey>;
  list(integrationId: string, page: PageRequest): Promise<ResponsePage<IntegrationKey>>;
  /** Another key with the same name and scopes; the old one goes on for a while, so that no request fails meanwhile. */
  rotate(
    caller: Issuer,
    integrationId: string,
    id: string,
    request: RotateIntegrationKey,
  ): Promise<RotatedIntegrationKey>;
  /** It is refused from the next request on. */
  revoke(integrationId: string, id: string): Promise<IntegrationKey>;
}

/** The operator who calls, and is shown the key; null for the service itself. */
export type Issuer = { operator: Pick<OperatorCaller['operator'], 'id'> } | null;

/** Live keys of one integration: several programs, each of them in the middle of a rotation. */
const mostKeys = 20;
const defaultOverlapHours = 24;

export function createIntegrationKeys(deps: {
  store: Store;
  now: () => number;
  newId: () => string;
}): IntegrationKeys {
  const { store, now, newId } = deps;

  function issue(
    caller: Issuer,
    given: { name?: string; scopes?: readonly KeyScope[]; expiresAt?: string | null },
  ): { apiKey: string; stored: NewKey } {
    return issueKey({ newId, now }, caller, given, '/expiresAt');
  }

  return {
    async create(caller, integrationId, request) {
      const { apiKey, stored } = issue(caller, request);
      const key = await store.integrationKeys.create(integrationId, stored, now(), mostKeys);
      if (key === 'no_integration') throw notFound('integration', integrationId);
      if (key === 'too_many') throw tooMany();
      return { ...shown(key), apiKey };
    },

    list: async (integrationId, page) =>
      responsePage(
        found(await store.integrationKeys.list(integrationId, page), 'integration', integrationId),
        page,
        shown,
      ),

    async rotate(caller, integrationId, id, { overlapHours = defaultOverlapHours, expiresAt }) {
      const { apiKey, stored } = issue(caller, { ...(expiresAt !== undefined && { expiresAt }) });
      const at = now();
      const terms = { now: at, until: at + overlapHours * hourMs, most: mostKeys };
      const result = await store.integrationKeys.rotate(integrationId, id, stored, terms);
      switch (result) {
        case 'no_integration':
          throw notFound('integration', integrationId);
        case 'no_key':
          throw notFound('integration key', id);
        case 'not_live':
          throw new AppError('conflict', 'the key was revoked, or has expired: create another instead');
        case 'too_many':
          throw tooMany();
        default:
          return { ...shown(result.created), apiKey, replaces: shown(result.replaces) };
      }
    },

    async revoke(integrationId, id) {
      const key = await store.integrationKeys.revoke(integrationId, id, now());
      if (key === 'no_key') throw notFound('integration key', id);
      if (key === 'already_revoked') throw new AppError('conflict', 'the key is already revoked');
      return shown(key);
    },
  };
}

/** A new key, and what is stored of it. `path` is the field of its expiry. */
export function issueKey(
  { newId, now }: { newId: () => string; now: () => number },
  caller: Issuer,
  given: { name?: string; scopes?: readonly KeyScope[]; expiresAt?: string | null },
  path: string,
): { apiKey: string; stored: NewKey } {
  const apiKey = createKey(integrationKeyPrefix);
  return {
    apiKey,
    stored: {
      id: newId(),
      name: given.name ?? 'key',
      keyHash: hashKey(apiKey),
      keyPrefix: keyPrefixOf(apiKey),
      lastFour: lastFourOf(apiKey),
      scopes: given.scopes ?? keyScopes,
      expiresAt: given.expiresAt ? parseFutureTime(given.expiresAt, now(), path) : null,
      issuedBy: caller?.operator.id ?? null,
    },
  };
}

const tooMany = (): AppError =>
  new AppError('conflict', `the integration has ${mostKeys} live keys: revoke one first`);

const shown = (key: StoredIntegrationKey): IntegrationKey => ({
  ...key,
  // In one order, however they were sent.
  scopes: keyScopes.filter((scope) => key.scopes.includes(scope)),
  createdAt: isoTime(key.createdAt),
  lastUsedAt: isoTimeOrNull(key.lastUsedAt),
  expiresAt: isoTimeOrNull(key.expiresAt),
  revokedAt: isoTimeOrNull(key.revokedAt),
});
