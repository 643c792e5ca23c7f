import type { IntegrationKind, IntegrationSettings } from '../schemas/integrations.ts';
import type { Page, PageRequest } from './pages.ts';

export interface StoredIntegration {
  id: string;
  name: string;
  kind: IntegrationKind;
  description: string | null;
  settings: IntegrationSettings;
  /** Of the key in force; null once it is revoked. */
  keyPrefix: string | null;
  keyExpiresAt: number | null;
  createdAt: number;
  updatedAt: number;
  /** Null while it is in use. */
  deletedAt: number | null;
}

export interface NewKey {
  keyHash: string;
  /** The first characters of the key, to recognise it by. */
  keyPrefix: string;
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

  /** The integration whose key in force has this hash; null when unknown, revoked, or expired at `now`. */
  findByKey(keyHash: string, now: number): Promise<StoredIntegration | null>;

  /** Newest first, without the deleted ones. */
  list(page: PageRequest): Promise<Page<StoredIntegration>>;

  /** Null when there is none, or it was deleted. Fields that are absent stay as they are. */
  change(id: string, change: IntegrationChange, now: number): Promise<StoredIntegration | null>;

  /** `tools` is JSON text; null, as is `updatedAt`, before any was stored. Null when there is no such integration. */
  findTools(id: string): Promise<{ tools: string | null; updatedAt: number | null } | null>;

  /** Replaces the tool catalogue, JSON text. False when there is no such integration, or it was deleted. */
  replaceTools(id: string, tools: string, now: number): Promise<boolean>;

  /** Revokes the key in force and puts this one in its place, in one step. Null when there is no such integration. */
  replaceKey(id: string, key: NewKey, now: number): Promise<StoredIntegration | null>;

  /** False when there is no such integration. */
  replaceWebhookSecret(id: string, secret: string, now: number): Promise<boolean>;

  /** Replaces the webhook secrets for which `seal`, which must be pure, makes another text. */
  resealWebhookSecrets(seal: (id: string, secret: string) => string | null): Promise<void>;

  /** Revokes the key and leaves the integration out of lists; its sessions, evaluations and reviews stay. Null when there was none. */
  delete(id: string, now: number): Promise<StoredIntegration | null>;
}
