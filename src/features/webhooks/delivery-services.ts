import { createCallbackSender } from '../../services/callbacks/callback-sender.ts';
import { createDeliveries, type Deliveries } from '../../services/callbacks/deliveries.ts';
import type { SecretBox } from '../../services/secrets/secret-box.ts';
import type { Store } from '../../store/store.ts';
import { createWebhookDeliveries, type WebhookDeliveries } from './deliveries.ts';
import type { Mailer, MailerOptions } from './mailer.ts';
import { createWebhookSender } from './sender.ts';
import { createWebhooks, type Webhooks } from './service.ts';

/** Sends callbacks of reviews, and events to webhooks and by mail. */
export interface DeliveryServices {
  deliveries: Deliveries;
  webhooks: Webhooks;
  webhookDeliveries: WebhookDeliveries;
}

export interface DeliveryOptions {
  store: Store;
  box: SecretBox;
  now: () => number;
  /** The system's clock, by which receivers check how old a callback is: milliseconds since 1970. */
  system: () => number;
  newId: () => string;
  random: () => number;
  /** Non-public addresses that callbacks may go to. */
  callbackAllow: readonly string[];
  /** The `source` of every event: a URI. */
  eventSource: string;
  /** The start of links; null when it is not known. */
  publicUrl: string | null;
  mail: { url: string; from: string } | null;
  onError: (error: unknown) => void;
}

/** Throws when an entry of `callbackAllow` cannot be used. */
export function createDeliveryServices(options: DeliveryOptions): DeliveryServices {
  const { store, box, now, system, newId, random, callbackAllow: allow, mail, onError } = options;
  const sender = createCallbackSender({ allow, now: system });
  const http = createCallbackSender({ allow, now: system, keepAliveMs: 1_000 });
  const webhookSender = createWebhookSender({
    http,
    mailer: mail && loadMailerLate({ ...mail, allow }),
    box,
    now,
    source: options.eventSource,
    publicUrl: options.publicUrl,
  });
  const webhookDeliveries = createWebhookDeliveries({
    store,
    sender: webhookSender,
    close: () => http.close(),
    now,
    newId,
    random,
    onError,
  });
  return {
    deliveries: createDeliveries({ store, sender, box, now, random, onError }),
    webhooks: createWebhooks({
      store,
      now,
      newId,
      box,
      sender: webhookSender,
      hasMail: mail !== null,
      wake: webhookDeliveries.wake,
    }),
    webhookDeliveries,
  };
}

/** The first mail loads the package: with all that it loads, it is a quarter of a start. */
function loadMailerLate(options: MailerOptions): Mailer {
  let mailer: Promise<Mailer> | undefined;
  return {
    async send(mail) {
      mailer ??= import('./mailer.ts').then(({ createMailer }) => createMailer(options));
      return (await mailer).send(mail);
    },
  };
}
