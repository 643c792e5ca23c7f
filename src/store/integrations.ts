import type { KeyScope } from '../schemas/integration-keys.ts';
import type { IntegrationKind, IntegrationSettings } from '../schemas/integrations.ts';
import type { Page, PageRequest } from './pages.ts';

export interface StoredIntegration {
  id: string;
  name: string;
  kind: IntegrationKind;
  description: string | null;
  settings: IntegrationSettings;
  /** Of the newest key that is not revoked; null when all are. */
  keyPrefix: string | null;
  keyExpiresAt: number | null;
  createdAt: number;
  updatedAt: number;
  /** Null while it is in use. */
  deletedAt: number | null;
}

export interface NewKey {
  id: string;
  name: string;
  keyHash: string;
  /** The first characters of the key, to recognise it by. */
  keyPrefix: string;
  /** Its last four characters. */
  lastFour: string;
  scopes: readonly KeyScope[];
  expiresAt: number | null;
  /** The id of the operator who makes it, and so has seen it. */
  issuedBy: string | null;
}

export interface IntegrationChange {
  name?: string;
  description?: string | null;
  /** Those that change; the others stay. */
  settings?: Partial<IntegrationSettings>;
}

export interface IntegrationStore {
  create(
    integration: {
      id: string;
      name: string;
      kind: IntegrationKind;
      description: string | null;
      settings: IntegrationSettings;
      webhookSecret: string;
      createdAt: number;
    },
    key: NewKey,
  ): Promise<StoredIntegration>;

  /** A deleted one as well, because records refer to it. Null when there is none. */
  find(id: string): Promise<StoredIntegration | null>;

  /** Newest first, without the deleted ones. */
  list(page: PageRequest): Promise<Page<StoredIntegration>>;

  /**
   * Null when there is none, or it was deleted. Fields that are absent stay as they are. 'outdated': a field or a setting is not
   * as `expected` says.
   */
  change(
    id: string,
    change: IntegrationChange,
    now: number,
    expected?: IntegrationChange,
  ): Promise<StoredIntegration | 'outdated' | null>;

  /** `tools` is JSON text; null, as is `updatedAt`, before any was stored. Null when there is no such integration. */
  findTools(id: string): Promise<{ tools: string | null; updatedAt: number | null } | null>;

  /**
   * Replaces the tool catalogue, JSON text. 'no_integration': there is none, or it was deleted. 'outdated': the catalogue is not
   * the `expected` text; null expects that none was stored.
   */
  replaceTools(
    id: string,
    tools: string,
    now: number,
    expected?: string | null,
  ): Promise<'replaced' | 'no_integration' | 'outdated'>;

  /**
   * Revokes every key and puts this one in their place, in one step: with the name and scopes of the newest one, or those
   * that it has itself when there is none. Null when there is no such integration.
   */
  replaceKey(id: string, key: NewKey, now: number): Promise<StoredIntegration | null>;

  /** False when there is no such integration. */
  replaceWebhookSecret(id: string, secret: string, now: number): Promise<boolean>;

  /** Replaces the webhook secrets for which `seal`, which must be pure, makes another text. */
  resealWebhookSecrets(seal: (id: string, secret: string) => string | null): Promise<void>;

  /** Revokes its keys and leaves the integration out of lists; its sessions, evaluations and reviews stay. Null when there was none. */
  delete(id: string, now: number): Promise<StoredIntegration | null>;
}
