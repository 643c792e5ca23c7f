import type { Severity } from '../schemas/decisions.ts';
import type { DeliveryStatus, WebhookFormat, WebhookStatus } from '../schemas/webhooks.ts';
import type { StoredEvent } from './events.ts';
import type { Page, PageRequest } from './pages.ts';

/** What a webhook wants to hear of. */
export interface WebhookFilter {
  /** Types, or starts of types as `review.*`. */
  types: string[];
  /** Empty: of all. */
  integrationIds: string[];
  minSeverity: Severity | null;
}

export interface NewWebhook extends WebhookFilter {
  id: string;
  name: string;
  format: WebhookFormat;
  /** JSON text of where to send, sealed. */
  destination: string;
  /** What it signs with, sealed; null for a format that is not signed. */
  secret: string | null;
  createdAt: number;
}

export interface StoredWebhook extends NewWebhook {
  status: WebhookStatus;
  /** The secret before the last rotation, sealed, which signs too until `previousSecretUntil`. */
  previousSecret: string | null;
  previousSecretUntil: number | null;
  updatedAt: number;
}

/** Fields that are absent stay as they are. */
export interface WebhookChange extends Partial<WebhookFilter> {
  name?: string;
  status?: WebhookStatus;
  destination?: string;
}

export interface StoredDelivery {
  id: string;
  webhookId: string;
  event: StoredEvent;
  status: DeliveryStatus;
  attemptCount: number;
  /** Null once delivered or given up. */
  nextAttemptAt: number | null;
  lastAttemptAt: number | null;
  deliveredAt: number | null;
  lastStatusCode: number | null;
  lastError: string | null;
  createdAt: number;
}

export interface DueDelivery {
  id: string;
  /** Attempts made before this one. */
  attemptCount: number;
  event: StoredEvent;
  webhook: StoredWebhook;
}

export interface DeliveryFilter {
  webhookId?: string;
  status?: DeliveryStatus;
}

/** How an attempt ended that did not deliver. */
export interface FailedAttempt {
  at: number;
  statusCode: number | null;
  error: string;
  /** Null gives up: the delivery is a dead letter. */
  nextAttemptAt: number | null;
}

/** Every event that a webhook matches becomes one delivery, which stays until it is delivered or given up, over restarts. */
export interface WebhookStore {
  /** It hears of events from now on. Null when there are `most` already. */
  create(webhook: NewWebhook, most: number): Promise<StoredWebhook | null>;
  find(id: string): Promise<StoredWebhook | null>;
  /** Newest first. */
  list(page: PageRequest): Promise<Page<StoredWebhook>>;
  change(id: string, change: WebhookChange, now: number): Promise<StoredWebhook | null>;
  /** The secret before signs too until `until`. Null when there is no such webhook, or it is not signed. */
  rotateSecret(id: string, secret: string, until: number, now: number): Promise<StoredWebhook | null>;
  /** With its deliveries. Null when there was none. */
  delete(id: string): Promise<StoredWebhook | null>;
  /** Replaces sealed texts; `seal` must be pure. */
  reseal(
    seal: (webhook: StoredWebhook) => Pick<StoredWebhook, 'destination' | 'secret' | 'previousSecret'> | null,
  ): Promise<void>;

  /**
   * Makes the deliveries of the next events that were not looked at yet, each event once for all webhooks. `matches` must be
   * pure. False when none is left.
   */
  fanOut(
    now: number,
    matches: (webhook: WebhookFilter, event: StoredEvent) => boolean,
    newId: () => string,
  ): Promise<boolean>;
  /**
   * Those of ACTIVE webhooks whose next attempt is due at `now`, the longest waiting first: of each webhook at most as many
   * as `places` says. In the same step each is put off until `until`, so that no other process on the same data takes it too,
   * and a process that dies with it loses none.
   */
  claimDue(now: number, until: number, places: (webhookId: string) => number): Promise<DueDelivery[]>;
  /** When the next attempt of an ACTIVE webhook is due; null when none waits. */
  findNextAttemptAt(): Promise<number | null>;
  /** Gives a claim back: due at `now` again, and no attempt is counted. */
  release(id: string, now: number): Promise<void>;
  recordDelivered(id: string, at: number, statusCode: number | null): Promise<void>;
  recordFailed(id: string, attempt: FailedAttempt): Promise<void>;

  /** Newest first. `total` is counted up to `mostCounted`. */
  listDeliveries(filter: DeliveryFilter, page: PageRequest): Promise<Page<StoredDelivery>>;
  /** Makes a delivery that has ended due again, with all of its attempts. Null when there is none; 'pending' while it waits. */
  redeliver(id: string, now: number): Promise<StoredDelivery | 'pending' | null>;
  /** The same for every dead letter of a webhook: how many. Null when there is no such webhook. */
  redeliverDead(webhookId: string, now: number): Promise<number | null>;
}
