import { AppError } from '../../errors.ts';
import { readReceiverUrl, receiverUrlRule } from '../../services/callbacks/address-policy.ts';
import type { CallbackSender, Delivery } from '../../services/callbacks/callback-sender.ts';
import { type SecretBox, SecretUnreadable } from '../../services/secrets/secret-box.ts';
import type { StoredEvent, StoredWebhook } from '../../store/store.ts';
import { cloudEvent } from '../events/forms.ts';
import type { Mailer } from './mailer.ts';
import { eventPayload, mailText, noticeOf, type Payload, slackPayload, teamsPayload } from './messages.ts';
import type { WebhookFormat } from './schema.ts';

/** Where a webhook sends. */
export interface Destination {
  url: string | null;
  to: string[];
}

interface Given {
  url?: string | undefined;
  to?: string[] | undefined;
}

/** The destination of a format. Refuses a missing one, and a field that belongs to another format. */
export function readDestination(format: WebhookFormat, { url, to }: Given): Destination {
  if (format === 'EMAIL') {
    if (url !== undefined) throw invalid('/url', 'EMAIL sends to addresses: leave it out');
    if (to === undefined) throw invalid('/to', 'EMAIL needs the addresses to send to');
    return { url: null, to };
  }
  if (to !== undefined) throw invalid('/to', `${format} sends to a url: leave it out`);
  if (url === undefined) throw invalid('/url', `${format} needs the address to send to`);
  if (!readReceiverUrl(url)) throw invalid('/url', receiverUrlRule);
  return { url, to: [] };
}

const invalid = (path: string, message: string): AppError => new AppError('invalid', message, { path });

/** Names the place that a text is sealed for: a copy of it cannot be opened anywhere else. */
export const placeOf = (id: string, field: 'destination' | 'secret'): string => `webhooks/${id}/${field}`;

export interface WebhookSender {
  /** One attempt; never throws. */
  send(webhook: StoredWebhook, event: StoredEvent): Promise<Delivery>;
}

export function createWebhookSender(deps: {
  http: CallbackSender;
  /** Null without ASSIZE_SMTP_URL. */
  mailer: Mailer | null;
  box: SecretBox;
  now: () => number;
  source: string;
  publicUrl: string | null;
}): WebhookSender {
  const { http, mailer, box, now, source, publicUrl } = deps;

  function secretsOf({ id, secret, previousSecret, previousSecretUntil }: StoredWebhook): string[] {
    const place = placeOf(id, 'secret');
    const overlaps = previousSecret !== null && (previousSecretUntil ?? 0) > now();
    return [secret, overlaps ? previousSecret : null].flatMap((sealed) =>
      sealed === null ? [] : [box.open(sealed, place)],
    );
  }

  function payloadOf({ format }: StoredWebhook, event: StoredEvent): Payload {
    if (format === 'EVENTS') return eventPayload(cloudEvent(event, source));
    const notice = noticeOf(event, { publicUrl, now: now() });
    return format === 'SLACK' ? slackPayload(notice) : teamsPayload(notice);
  }

  async function send(webhook: StoredWebhook, event: StoredEvent): Promise<Delivery> {
    const { url, to }: Destination = JSON.parse(
      box.open(webhook.destination, placeOf(webhook.id, 'destination')),
    );
    if (url === null) {
      if (!mailer) return { delivered: false, reason: 'ASSIZE_SMTP_URL is not set', permanent: false };
      return mailer.send({ id: event.id, to, ...mailText(noticeOf(event, { publicUrl, now: now() })) });
    }
    return http.send({ id: event.id, url, secrets: secretsOf(webhook), ...payloadOf(webhook, event) });
  }

  return {
    send: (webhook, event) =>
      send(webhook, event).catch((error: unknown) => {
        // The operator may put the key back: nothing is lost meanwhile.
        if (error instanceof SecretUnreadable) {
          return { delivered: false, reason: error.message, permanent: false };
        }
        throw error;
      }),
  };
}
