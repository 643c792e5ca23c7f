import { event } from '../events/examples.ts';

export const webhookSecret = `whsec_${'0'.repeat(43)}=`;

const webhook = {
  id: '0198c2f1-7d03-7a52-8c94-1e6b3f0d9a75',
  name: 'reviewers',
  format: 'EVENTS',
  status: 'ACTIVE',
  url: 'https://hooks.example.com/assize',
  to: [],
  types: ['review.*'],
  integrationIds: [],
  minSeverity: null,
  previousSecretUntil: null,
  createdAt: '2026-11-22T09:30:00.000Z',
  updatedAt: '2026-11-22T09:30:00.000Z',
};

const delivery = {
  id: '0198c2f1-2e4f-7b80-a5d1-8c2e4f6a0b93',
  webhookId: webhook.id,
  eventId: event.id,
  eventType: event.type,
  eventSequence: event.sequence,
  subject: event.subject,
  status: 'PENDING',
  attemptCount: 1,
  nextAttemptAt: '2026-11-22T09:31:17.408Z',
  lastAttemptAt: '2026-11-22T09:31:12.408Z',
  deliveredAt: null,
  lastStatusCode: 503,
  lastError: 'refused by the receiver: 503',
  createdAt: '2026-11-22T09:31:12.408Z',
};

const { name, format, url, types } = webhook;

export const webhookExamples: Readonly<Record<string, unknown>> = {
  CreateWebhook: { name, format, url, types },
  ChangeWebhook: { minSeverity: 'HIGH' },
  Webhook: webhook,
  CreatedWebhook: { ...webhook, secret: webhookSecret },
  RotatedWebhook: { ...webhook, previousSecretUntil: '2026-11-23T09:30:00.000Z', secret: webhookSecret },
  RotateWebhookSecret: { overlapHours: 24 },
  WebhookDelivery: delivery,
  WebhookTest: { delivered: true, statusCode: 204, reason: null },
  Redelivered: { count: 3 },
};
