import { type Static, Type } from '@sinclair/typebox';
import { Severity } from '../../schemas/decisions.ts';
import { EmailAddress, KeptText, NameText, Nullable, Timestamp, Uuid } from '../../schemas/values.ts';
import * as words from './words.ts';

export const WebhookFormat = Type.Unsafe<words.WebhookFormat>({
  type: 'string',
  enum: [...words.webhookFormats],
  description:
    'EVENTS: each event as CloudEvents 1.0, signed; SLACK and TEAMS: a message for an incoming webhook; EMAIL: plain text over SMTP',
});
export type WebhookFormat = words.WebhookFormat;

export const WebhookStatus = Type.Unsafe<words.WebhookStatus>({
  type: 'string',
  enum: [...words.webhookStatuses],
  description: 'DISABLED: nothing is sent, and events from that time are not sent later either',
});
export type WebhookStatus = words.WebhookStatus;

export const DeliveryStatus = Type.Unsafe<words.DeliveryStatus>({
  type: 'string',
  enum: [...words.deliveryStatuses],
  description: 'DEAD: no longer retried, until it is redelivered',
});
export type DeliveryStatus = words.DeliveryStatus;

const filters = {
  types: Type.Optional(
    Type.Array(Type.String({ pattern: '^[a-z]+\\.(?:[a-z_]+|\\*)$|^\\*$' }), {
      minItems: 1,
      maxItems: 50,
      uniqueItems: true,
      description:
        'event types, or prefixes such as `review.*`; by default every type for EVENTS, and `review.opened`, `review.expiring`, `review.expired`, `review.cancelled` for the others',
    }),
  ),
  integrationIds: Type.Optional(
    Type.Array(Uuid, {
      maxItems: 100,
      uniqueItems: true,
      description: 'only events of these integrations; empty means all',
    }),
  ),
};
const url = KeptText(2_000, { description: 'http or https; for EVENTS, SLACK and TEAMS' });
const to = Type.Array(EmailAddress, {
  minItems: 1,
  maxItems: 50,
  uniqueItems: true,
  description: 'recipients, for EMAIL',
});
const minSeverity = Type.Unsafe<Severity>({
  ...Severity,
  description: 'leaves out events of a lower severity; events without one are sent',
});

export const CreateWebhook = Type.Object(
  {
    name: NameText(200),
    format: WebhookFormat,
    url: Type.Optional(url),
    to: Type.Optional(to),
    ...filters,
    minSeverity: Type.Optional(minSeverity),
  },
  { additionalProperties: false },
);
export type CreateWebhook = Static<typeof CreateWebhook>;

export const ChangeWebhook = Type.Object(
  {
    name: Type.Optional(NameText(200)),
    status: Type.Optional(WebhookStatus),
    url: Type.Optional(url),
    to: Type.Optional(to),
    ...filters,
    minSeverity: Type.Optional(minSeverity),
  },
  { additionalProperties: false },
);
export type ChangeWebhook = Static<typeof ChangeWebhook>;

export const Webhook = Type.Object({
  id: Uuid,
  name: Type.String(),
  format: WebhookFormat,
  status: WebhookStatus,
  url: Nullable(
    Type.String({
      description:
        'for SLACK and TEAMS only its origin, because the rest is a secret; null for EMAIL, and when no key in ASSIZE_SECRETS_KEY opens it',
    }),
  ),
  to: Type.Array(Type.String()),
  types: Type.Array(Type.String()),
  integrationIds: Type.Array(Uuid),
  minSeverity: Nullable(Severity),
  previousSecretUntil: Nullable({
    ...Timestamp,
    description: 'until then, deliveries are also signed with the previous secret',
  } as typeof Timestamp),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export type Webhook = Static<typeof Webhook>;

const secret = Type.String({ description: '`whsec_` and the key in base64: shown only in this response' });

export const CreatedWebhook = Type.Object({ ...Webhook.properties, secret: Nullable(secret) });
export type CreatedWebhook = Static<typeof CreatedWebhook>;

export const RotatedWebhook = Type.Object({ ...Webhook.properties, secret });
export type RotatedWebhook = Static<typeof RotatedWebhook>;

export const RotateWebhookSecret = Type.Object(
  {
    overlapHours: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 168,
        default: 24,
        description: 'hours for which deliveries are signed with both secrets',
      }),
    ),
  },
  { additionalProperties: false },
);

export const WebhookDelivery = Type.Object({
  id: Uuid,
  webhookId: Uuid,
  eventId: Type.String({ description: 'the same in every attempt and redelivery' }),
  eventType: Type.String(),
  eventSequence: Type.String(),
  subject: Type.String(),
  status: DeliveryStatus,
  attemptCount: Type.Integer({ minimum: 0 }),
  nextAttemptAt: Nullable(Timestamp),
  lastAttemptAt: Nullable(Timestamp),
  deliveredAt: Nullable(Timestamp),
  lastStatusCode: Nullable(Type.Integer()),
  lastError: Nullable(Type.String()),
  createdAt: Timestamp,
});
export type WebhookDelivery = Static<typeof WebhookDelivery>;

export const WebhookTest = Type.Object({
  delivered: Type.Boolean(),
  statusCode: Nullable(Type.Integer()),
  reason: Nullable(Type.String()),
});
export type WebhookTest = Static<typeof WebhookTest>;

export const Redelivered = Type.Object({ count: Type.Integer({ minimum: 0 }) });
