import { AppError } from '../../errors.ts';
import { hourMs } from '../../schemas/durations.ts';
import type { OperatorCaller } from '../../services/access/authentication.ts';
import {
  createKey,
  createWebhookSecret,
  hashKey,
  integrationKeyPrefix,
  keyPrefixOf,
  lastFourOf,
} from '../../services/access/keys.ts';
import { checkIdentitySettings } from '../../services/identities/identities.ts';
import {
  entryBytes,
  fitEntry,
  type Listed,
  type ResponsePage,
  responsePage,
} from '../../services/list-entries.ts';
import { asExpected, found, notFound } from '../../services/refusals.ts';
import { integrationSecretPlace, type SecretBox } from '../../services/secrets/secret-box.ts';
import { isoTime, isoTimeOrNull, parseFutureTime } from '../../services/times.ts';
import type {
  NewKey,
  PageRequest,
  Store,
  StoredIntegration,
  StoredIntegrationKey,
} from '../../store/store.ts';
import type { Protection } from './protection.ts';
import {
  type ChangeIntegration,
  type CreatedIntegrationKey,
  type CreateIntegration,
  type CreateIntegrationKey,
  defaultIntegrationSettings,
  type Integration,
  type IntegrationKey,
  type IntegrationSettings,
  type IntegrationSummary,
  type IntegrationWarning,
  type RegenerateKey,
  type RotatedIntegrationKey,
  type RotateIntegrationKey,
} from './schema.ts';
import { type KeyScope, keyScopes } from './words.ts';

export interface Integrations {
  /** The key and the signing secret are in this response and in no later one. */
  create(
    caller: Issuer,
    request: CreateIntegration,
  ): Promise<Integration & { apiKey: string; webhookSecret: string }>;
  /** A deleted one as well. */
  read(id: string): Promise<Integration>;
  list(page: PageRequest, filter: { name?: string }): Promise<ResponsePage<Listed<IntegrationSummary>>>;
  /** `expected`: what fields and settings must be now. */
  change(id: string, request: ChangeIntegration, expected?: ChangeIntegration): Promise<Integration>;
  /** Refuses settings that `change` would refuse. */
  checkSettings(settings: Partial<IntegrationSettings> | undefined): void;
  /** All its keys are refused from the next request on. */
  regenerateKey(
    caller: Issuer,
    id: string,
    request: RegenerateKey,
  ): Promise<Integration & { apiKey: string }>;
  regenerateWebhookSecret(id: string): Promise<{ id: string; webhookSecret: string }>;
  delete(id: string): Promise<Integration>;
}

/** Two integrations may share a name, but then commands can name neither. */
const nameTaken = ({ id }: StoredIntegration): IntegrationWarning => ({
  code: 'name_taken',
  message: `integration ${id} has this name, too: commands can name neither of them`,
});

export function createIntegrations(deps: {
  store: Store;
  now: () => number;
  newId: () => string;
  box: SecretBox;
  knownTags: ReadonlySet<string>;
  protection: Pick<Protection, 'warningsOf' | 'tellOfNew'>;
}): Integrations {
  const { store, now, newId, box, knownTags, protection } = deps;

  const whole = async (integration: StoredIntegration): Promise<Integration> => ({
    ...shown(integration),
    warnings: await protection.warningsOf(integration.id),
  });

  const issue = (caller: Issuer, expiresAt: string | null | undefined) =>
    issueKey({ newId, now }, caller, { expiresAt: expiresAt ?? null }, '/apiKeyExpiresAt');

  function checkSettings(settings: Partial<IntegrationSettings> | undefined): void {
    for (const field of ['disabledTags', 'enabledTags'] as const) {
      const unknown = settings?.[field]?.findIndex((tag) => !knownTags.has(tag)) ?? -1;
      if (unknown === -1) continue;
      throw new AppError('invalid', 'must be a data tag that is detected (docs/data-tags.md)', {
        path: `/settings/${field}/${unknown}`,
      });
    }
    if (settings?.identity) checkIdentitySettings(settings.identity, '/settings/identity');
  }

  return {
    async create(caller, request) {
      checkSettings(request.settings);
      const { apiKey, stored } = issue(caller, request.apiKeyExpiresAt);
      const webhookSecret = createWebhookSecret();
      const id = newId();
      const [taken] = (await store.integrations.list({ page: 1, size: 1 }, { name: request.name })).items;
      const integration = await store.integrations.create(
        {
          id,
          name: request.name,
          kind: request.kind,
          description: request.description ?? null,
          settings: { ...defaultIntegrationSettings, ...request.settings },
          webhookSecret: box.seal(webhookSecret, integrationSecretPlace(id)),
          createdAt: now(),
        },
        stored,
      );
      const created = await whole(integration);
      // The first start, which is nobody's call, binds policies next.
      if (caller !== null) protection.tellOfNew(integration, created.warnings);
      if (taken) created.warnings.push(nameTaken(taken));
      return { ...created, apiKey, webhookSecret };
    },

    read: async (id) => whole(found(await store.integrations.find(id), 'integration', id)),

    list: async (page, filter) =>
      responsePage(await store.integrations.list(page, filter), page, (integration) =>
        fitEntry(shown(integration), { description: null }, entryBytes(page.size)),
      ),

    checkSettings,

    async change(id, { settings, ...change }, expected) {
      checkSettings(settings);
      const request = { ...change, ...(settings && { settings }) };
      const changed = asExpected(await store.integrations.change(id, request, now(), expected));
      return whole(found(changed, 'integration', id));
    },

    async regenerateKey(caller, id, request) {
      const { apiKey, stored } = issue(caller, request.apiKeyExpiresAt);
      return {
        ...(await whole(found(await store.integrations.replaceKey(id, stored, now()), 'integration', id))),
        apiKey,
      };
    },

    async regenerateWebhookSecret(id) {
      const webhookSecret = createWebhookSecret();
      const sealed = box.seal(webhookSecret, integrationSecretPlace(id.toLowerCase()));
      if (!(await store.integrations.replaceWebhookSecret(id, sealed, now())))
        throw notFound('integration', id);
      return { id: id.toLowerCase(), webhookSecret };
    },

    delete: async (id) => whole(found(await store.integrations.delete(id, now()), 'integration', id)),
  };
}

function shown({ keyPrefix, keyExpiresAt, ...integration }: StoredIntegration): IntegrationSummary {
  return {
    ...integration,
    apiKeyPrefix: keyPrefix,
    apiKeyExpiresAt: isoTimeOrNull(keyExpiresAt),
    createdAt: isoTime(integration.createdAt),
    updatedAt: isoTime(integration.updatedAt),
    status: integration.deletedAt === null ? 'ACTIVE' : 'DELETED',
    deletedAt: isoTimeOrNull(integration.deletedAt),
  };
}

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
type Issuer = { operator: Pick<OperatorCaller['operator'], 'id'> } | null;

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
      return { ...shownKey(key), apiKey };
    },

    list: async (integrationId, page) =>
      responsePage(
        found(await store.integrationKeys.list(integrationId, page), 'integration', integrationId),
        page,
        shownKey,
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
          return { ...shownKey(result.created), apiKey, replaces: shownKey(result.replaces) };
      }
    },

    async revoke(integrationId, id) {
      const key = await store.integrationKeys.revoke(integrationId, id, now());
      if (key === 'no_key') throw notFound('integration key', id);
      if (key === 'already_revoked') throw new AppError('conflict', 'the key is already revoked');
      return shownKey(key);
    },
  };
}

/** A new key, and what is stored of it. `path` is the field of its expiry. */
function issueKey(
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

const shownKey = (key: StoredIntegrationKey): IntegrationKey => ({
  ...key,
  // In one order, however they were sent.
  scopes: keyScopes.filter((scope) => key.scopes.includes(scope)),
  createdAt: isoTime(key.createdAt),
  lastUsedAt: isoTimeOrNull(key.lastUsedAt),
  expiresAt: isoTimeOrNull(key.expiresAt),
  revokedAt: isoTimeOrNull(key.revokedAt),
});

/** Refuses what the key of an integration may not be used for, and names the scope. */
export function assertScope(scopes: readonly KeyScope[], scope: KeyScope): void {
  if (!scopes.includes(scope)) throw new AppError('forbidden', `this needs a key with the scope ${scope}`);
}
