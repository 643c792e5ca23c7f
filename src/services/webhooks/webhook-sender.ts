import type { StoredEvent, StoredWebhook } from '../../store/store.ts';
import type { CallbackSender, Delivery } from '../callbacks/callback-sender.ts';
import { cloudEvent } from '../events/cloud-events.ts';
import { type SecretBox, SecretUnreadable } from '../secrets/secret-box.ts';
import type { Destination } from './destinations.ts';
import type { Mailer } from './mailer.ts';
import { noticeOf } from './notice.ts';
import { eventPayload, mailText, type Payload, slackPayload, teamsPayload } from './payloads.ts';
import { placeOf } from './sealed-place.ts';

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
