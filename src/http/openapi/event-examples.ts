import { webhookSecret } from './example-management.ts';

const event = {
  specversion: '1.0',
  id: '0198c2f1-2e4e-7c11-9d27-5a3f8b0c6e42',
  source: 'https://assize.example.com',
  type: 'review.opened',
  subject: 'reviews/0198c2f1-2e4c-7b63-9f80-4c2d6a8e1b39',
  time: '2026-11-22T09:31:12.408Z',
  datacontenttype: 'application/json',
  sequence: '0000000000004711',
  data: {
    reviewRequestId: '0198c2f1-2e4c-7b63-9f80-4c2d6a8e1b39',
    integrationName: 'support agent',
    tool: 'email.send',
    severity: 'HIGH',
    expiresAt: '2026-11-22T09:46:12.408Z',
  },
};

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
const comment = {
  id: '0198c2f1-9b04-7d61-b3e8-4a2c6e8f0d17',
  author: { id: '0198c2ef-9d30-7e20-8c11-0d5b7a93e6f2', name: 'Ada Lovelace' },
  text: 'asked the requester',
  createdAt: '2026-11-22T09:33:00.000Z',
};
const statistics = {
  from: '2026-11-15T09:30:00.000Z',
  reviewCount: 40,
  pendingCount: 1,
  approvedCount: 30,
  rejectedCount: 6,
  cancelledCount: 0,
  expiredCount: 3,
  expiredUnseenCount: 1,
  timeToDecisionMs: { p50: 95_000, p90: 420_000, max: 840_000 },
};
const { name, format, url, types } = webhook;

/** Of what events are read as, and where they are sent. */
export const eventExamples: Readonly<Record<string, unknown>> = {
  CreateWebhook: { name, format, url, types },
  ChangeWebhook: { minSeverity: 'HIGH' },
  Webhook: webhook,
  CreatedWebhook: { ...webhook, secret: webhookSecret },
  RotatedWebhook: { ...webhook, previousSecretUntil: '2026-11-23T09:30:00.000Z', secret: webhookSecret },
  RotateWebhookSecret: { overlapHours: 24 },
  WebhookDelivery: delivery,
  WebhookTest: { delivered: true, statusCode: 204, reason: null },
  Redelivered: { count: 3 },
  CommentReview: { text: 'asked the requester' },
  ExtendReview: { minutes: 30 },
  DecideReviews: { ids: [event.data.reviewRequestId], decision: 'APPROVE', reason: 'EXPECTED' },
  BulkDecision: { id: event.data.reviewRequestId, decided: true, status: 'APPROVED', error: null },
  ReviewComment: comment,
  ReviewStatistics: statistics,
  Event: event,
  'followEvents response text/event-stream': `id: ${event.sequence}\ndata: ${JSON.stringify(event)}\n\n`,
  EventPage: { events: [event], lastEventId: event.sequence },
};
