import { AppError } from '../errors.ts';
import {
  type ChangeIntegration,
  type CreateIntegration,
  defaultIntegrationSettings,
  type Integration,
  type IntegrationSettings,
  type IntegrationSummary,
  type RegenerateKey,
} from '../schemas/integrations.ts';
import type { PageRequest, Store, StoredIntegration } from '../store/store.ts';
import { asExpected } from './expected-versions.ts';
import { found, notFound } from './found.ts';
import { type Issuer, issueKey } from './integration-keys.ts';
import { createWebhookSecret } from './keys.ts';
import { entryBytes, fitEntry, type Listed } from './list-entries.ts';
import { type ResponsePage, responsePage } from './pages.ts';
import { integrationSecretPlace, type SecretBox } from './secrets/secret-box.ts';
import { isoTime, isoTimeOrNull } from './times.ts';
import type { Protection } from './unprotected-integrations.ts';

export interface Integrations {
  /** The key and the signing secret are in this response and in no later one. */
  create(
    caller: Issuer,
    request: CreateIntegration,
  ): Promise<Integration & { apiKey: string; webhookSecret: string }>;
  /** A deleted one as well. */
  read(id: string): Promise<Integration>;
  list(page: PageRequest): Promise<ResponsePage<Listed<IntegrationSummary>>>;
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
  }

  return {
    async create(caller, request) {
      checkSettings(request.settings);
      const { apiKey, stored } = issue(caller, request.apiKeyExpiresAt);
      const webhookSecret = createWebhookSecret();
      const id = newId();
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
      protection.tellOfNew(integration, created.warnings);
      return { ...created, apiKey, webhookSecret };
    },

    read: async (id) => whole(found(await store.integrations.find(id), 'integration', id)),

    list: async (page) =>
      responsePage(await store.integrations.list(page), page, (integration) =>
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
