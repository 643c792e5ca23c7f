import { AppError } from '../../errors.ts';
import type { Severity } from '../../schemas/decisions.ts';
import { hourMs } from '../../schemas/durations.ts';
import { createWebhookSecret } from '../../services/access/keys.ts';
import { type ResponsePage, responsePage } from '../../services/list-entries.ts';
import { found, notFound } from '../../services/refusals.ts';
import { openIfReadable, type SecretBox } from '../../services/secrets/secret-box.ts';
import { isoTime, isoTimeOrNull } from '../../services/times.ts';
import type {
  DeliveryFilter,
  PageRequest,
  Store,
  StoredDelivery,
  StoredEvent,
  StoredWebhook,
  WebhookFilter,
} from '../../store/store.ts';
import { eventTypes, typesNamed } from '../events/event-types.ts';
import { sequenceText } from '../events/forms.ts';
import type {
  ChangeWebhook,
  CreatedWebhook,
  CreateWebhook,
  RotatedWebhook,
  Webhook,
  WebhookDelivery,
  WebhookFormat,
  WebhookTest,
} from './schema.ts';
import { type Destination, placeOf, readDestination, type WebhookSender } from './sender.ts';

export interface Webhooks {
  create(request: CreateWebhook): Promise<CreatedWebhook>;
  read(id: string): Promise<Webhook>;
  list(page: PageRequest): Promise<ResponsePage<Webhook>>;
  change(id: string, request: ChangeWebhook): Promise<Webhook>;
  delete(id: string): Promise<Webhook>;
  /** For `overlapHours`, deliveries are also signed with the previous secret. */
  rotateSecret(id: string, overlapHours: number): Promise<RotatedWebhook>;
  /** Sends one event of type `webhook.ping`, without retries, and returns the result. */
  test(id: string): Promise<WebhookTest>;
  listDeliveries(filter: DeliveryFilter, page: PageRequest): Promise<ResponsePage<WebhookDelivery>>;
  redeliver(deliveryId: string): Promise<WebhookDelivery>;
  /** Redelivers every dead letter of a webhook; returns how many. */
  redeliverDead(id: string): Promise<{ count: number }>;
  /** Seals texts again that an older key sealed. A text that no key opens stays as it is and is reported to `onError`. */
  reseal(onError: (error: unknown) => void): Promise<void>;
}

/** Each may have several connections open at once. */
const mostWebhooks = 100;

export function createWebhooks(deps: {
  store: Store;
  now: () => number;
  newId: () => string;
  box: SecretBox;
  sender: WebhookSender;
  /** Whether mail can be sent. */
  hasMail: boolean;
  /** Must be called when a delivery became due. */
  wake: () => void;
}): Webhooks {
  const { store, now, newId, box, sender, hasMail, wake } = deps;
  const sealed = (id: string, destination: Destination): string =>
    box.seal(JSON.stringify(destination), placeOf(id, 'destination'));
  function destinationOf({ id, destination }: StoredWebhook): Destination {
    const text = openIfReadable(box, destination, placeOf(id, 'destination'));
    // Its operator must still see it, give it another address or delete it.
    return text === null ? { url: null, to: [] } : JSON.parse(text);
  }
  const show = (webhook: StoredWebhook): Webhook => shown(webhook, destinationOf(webhook));

  function checkMail(format: WebhookFormat): void {
    if (format !== 'EMAIL' || hasMail) return;
    throw new AppError('invalid', 'EMAIL needs the setting ASSIZE_SMTP_URL', { path: '/format' });
  }

  return {
    async create({ name, format, url, to, types, integrationIds = [], minSeverity = null }) {
      checkMail(format);
      checkTypes(types);
      const destination = readDestination(format, { url, to });
      const id = newId();
      const secret = format === 'EVENTS' ? createWebhookSecret() : null;
      const created = await store.webhooks.create(
        {
          id,
          name,
          format,
          destination: sealed(id, destination),
          secret: secret && box.seal(secret, placeOf(id, 'secret')),
          types: types ?? usualTypes(format),
          integrationIds: integrationIds.map((integrationId) => integrationId.toLowerCase()),
          minSeverity,
          createdAt: now(),
        },
        mostWebhooks,
      );
      if (!created)
        throw new AppError('conflict', `there are ${mostWebhooks} webhooks already, which is the maximum`);
      return { ...shown(created, destination), secret };
    },

    read: async (id) => show(found(await store.webhooks.find(id), 'webhook', id)),

    list: async (page) => responsePage(await store.webhooks.list(page), page, show),

    async change(id, { url, to, ...change }) {
      checkTypes(change.types);
      const before = found(await store.webhooks.find(id), 'webhook', id);
      const destination =
        url === undefined && to === undefined ? null : readDestination(before.format, { url, to });
      const changed = await store.webhooks.change(
        before.id,
        {
          ...change,
          ...(change.integrationIds && {
            integrationIds: change.integrationIds.map((integrationId) => integrationId.toLowerCase()),
          }),
          ...(destination && { destination: sealed(before.id, destination) }),
        },
        now(),
      );
      wake();
      return show(found(changed, 'webhook', id));
    },

    delete: async (id) => show(found(await store.webhooks.delete(id), 'webhook', id)),

    async rotateSecret(id, overlapHours) {
      const before = found(await store.webhooks.find(id), 'webhook', id);
      if (before.secret === null)
        throw new AppError('conflict', `a webhook of format ${before.format} has no secret`);
      const place = placeOf(before.id, 'secret');
      // A secret that no key opens cannot go on signing.
      const overlapMs = openIfReadable(box, before.secret, place) === null ? 0 : overlapHours * hourMs;
      const secret = createWebhookSecret();
      const at = now();
      const changed = await store.webhooks.rotateSecret(
        before.id,
        box.seal(secret, place),
        at + overlapMs,
        at,
      );
      return { ...show(found(changed, 'webhook', id)), secret };
    },

    async test(id) {
      const webhook = found(await store.webhooks.find(id), 'webhook', id);
      const at = now();
      const sent = await sender.send(webhook, {
        id: newId(),
        type: 'webhook.ping',
        at,
        integrationId: null,
        subject: `webhooks/${webhook.id}`,
        data: JSON.stringify({ webhookId: webhook.id, name: webhook.name }),
        sequence: 0,
      });
      return {
        delivered: sent.delivered,
        statusCode: sent.status ?? null,
        reason: sent.delivered ? null : sent.reason,
      };
    },

    listDeliveries: async (filter, page) =>
      responsePage(await store.webhooks.listDeliveries(filter, page), page, shownDelivery),

    async redeliver(id) {
      const renewed = await store.webhooks.redeliver(id, now());
      if (renewed === 'pending')
        throw new AppError('conflict', 'the delivery is already waiting for its next attempt');
      if (!renewed) throw notFound('webhook delivery', id);
      wake();
      return shownDelivery(renewed);
    },

    async redeliverDead(id) {
      const count = found(await store.webhooks.redeliverDead(id, now()), 'webhook', id);
      wake();
      return { count };
    },

    reseal: (onError) =>
      store.webhooks.reseal(({ id, destination, secret, previousSecret, previousSecretUntil }) => {
        const again = (text: string, field: 'destination' | 'secret') =>
          box.seal(box.open(text, placeOf(id, field)), placeOf(id, field));
        const texts = [destination, secret, previousSecret];
        if (!texts.some((text) => text !== null && box.isOutdated(text))) return null;
        try {
          return {
            destination: again(destination, 'destination'),
            secret: secret && again(secret, 'secret'),
            previousSecret:
              previousSecret !== null && (previousSecretUntil ?? 0) > now()
                ? again(previousSecret, 'secret')
                : null,
          };
        } catch (error) {
          onError(error);
          return null;
        }
      }),
  };
}

/** Slack and Teams webhook URLs are secrets: anyone who has one can post. */
const shownUrl = (format: WebhookFormat, url: string | null): string | null =>
  url === null || format === 'EVENTS' ? url : `${new URL(url).origin}/…`;

const shown = (webhook: StoredWebhook, { url, to }: Destination): Webhook => ({
  id: webhook.id,
  name: webhook.name,
  format: webhook.format,
  status: webhook.status,
  url: shownUrl(webhook.format, url),
  to,
  types: webhook.types,
  integrationIds: webhook.integrationIds,
  minSeverity: webhook.minSeverity,
  previousSecretUntil: isoTimeOrNull(webhook.previousSecretUntil),
  createdAt: isoTime(webhook.createdAt),
  updatedAt: isoTime(webhook.updatedAt),
});

const shownDelivery = ({ event, ...delivery }: StoredDelivery): WebhookDelivery => ({
  id: delivery.id,
  webhookId: delivery.webhookId,
  eventId: event.id,
  eventType: event.type,
  eventSequence: sequenceText(event.sequence),
  subject: event.subject,
  status: delivery.status,
  attemptCount: delivery.attemptCount,
  nextAttemptAt: isoTimeOrNull(delivery.nextAttemptAt),
  lastAttemptAt: isoTimeOrNull(delivery.lastAttemptAt),
  deliveredAt: isoTimeOrNull(delivery.deliveredAt),
  lastStatusCode: delivery.lastStatusCode,
  lastError: delivery.lastError,
  createdAt: isoTime(delivery.createdAt),
});

/** Messages for people announce reviews that wait for a person, unless the webhook names other types. */
const typesForPeople = ['review.opened', 'review.expiring', 'review.expired', 'review.cancelled'];

const usualTypes = (format: WebhookFormat): string[] => (format === 'EVENTS' ? ['*'] : typesForPeople);

/** Refuses unknown types, and prefixes of no type. */
function checkTypes(types: readonly string[] | undefined): void {
  const unknown = types?.findIndex((type) => typesNamed(type) === null) ?? -1;
  if (unknown === -1) return;
  throw new AppError(
    'invalid',
    `must be *, a type or the start of one as review.*: ${eventTypes.join(', ')}`,
    {
      path: `/types/${unknown}`,
    },
  );
}

const ranks: Readonly<Record<Severity, number>> = { LOW: 1, MEDIUM: 2, HIGH: 3, CRITICAL: 4 };
const isSeverity = (value: unknown): value is Severity => typeof value === 'string' && value in ranks;

const matchesType = (filter: string, type: string): boolean =>
  filter === '*' || filter === type || (filter.endsWith('.*') && type.startsWith(filter.slice(0, -1)));

export function matchesWebhook(
  { types, integrationIds, minSeverity }: WebhookFilter,
  event: StoredEvent,
): boolean {
  if (!types.some((filter) => matchesType(filter, event.type))) return false;
  if (integrationIds.length > 0 && !integrationIds.includes(event.integrationId ?? '')) return false;
  if (minSeverity === null) return true;
  const { severity } = JSON.parse(event.data) as { severity?: unknown };
  return !isSeverity(severity) || ranks[severity] >= ranks[minSeverity];
}
