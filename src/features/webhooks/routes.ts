import { Type } from '@sinclair/typebox';
import { operatorsWith } from '../../http/plugins/authenticate.ts';
import { envelope, pageEnvelope, withPage } from '../../http/responses.ts';

import type { Scope } from '../../http/scope.ts';
import { errorResponses, listOf, responseOf } from '../../schemas/envelopes.ts';
import { OptionalBody, pageQuery, Uuid } from '../../schemas/values.ts';
import {
  ChangeWebhook,
  CreatedWebhook,
  CreateWebhook,
  DeliveryStatus,
  Redelivered,
  RotatedWebhook,
  RotateWebhookSecret,
  Webhook,
  WebhookDelivery,
  WebhookTest,
} from './schema.ts';
import type { Webhooks } from './service.ts';

const params = Type.Object({ id: Uuid });
const tags = ['webhooks'];
const read = operatorsWith('webhooks:read');
const write = operatorsWith('webhooks:write');
/** Hours for which both secrets sign after a rotation that does not say. */
const usualOverlap = 24;

export function webhookRoutes(app: Scope, { webhooks }: { webhooks: Webhooks }): void {
  app.post(
    '/webhooks',
    {
      config: write,
      schema: {
        operationId: 'createWebhook',
        summary: 'Create a webhook',
        description: 'It receives events from now on. The signing secret is shown only in this response.',
        tags,
        body: CreateWebhook,
        response: { 201: responseOf(CreatedWebhook, 201), ...errorResponses },
      },
    },
    async (request, reply) => reply.code(201).send(envelope(201, await webhooks.create(request.body))),
  );

  app.get(
    '/webhooks',
    {
      config: read,
      schema: {
        operationId: 'listWebhooks',
        summary: 'List webhooks, newest first',
        tags,
        querystring: pageQuery({}),
        response: { 200: listOf(Webhook), ...errorResponses },
      },
    },
    async (request) => pageEnvelope(await webhooks.list(withPage(request.query))),
  );

  app.get(
    '/webhooks/:id',
    {
      config: read,
      schema: {
        operationId: 'readWebhook',
        summary: 'Read a webhook',
        tags,
        params,
        response: { 200: responseOf(Webhook), ...errorResponses },
      },
    },
    async (request) => envelope(200, await webhooks.read(request.params.id)),
  );

  app.patch(
    '/webhooks/:id',
    {
      config: write,
      schema: {
        operationId: 'changeWebhook',
        summary: 'Change a webhook',
        description: 'Fields that are left out keep their values. The format cannot be changed.',
        tags,
        params,
        body: ChangeWebhook,
        response: { 200: responseOf(Webhook), ...errorResponses },
      },
    },
    async (request) => envelope(200, await webhooks.change(request.params.id, request.body)),
  );

  app.delete(
    '/webhooks/:id',
    {
      config: write,
      schema: {
        operationId: 'deleteWebhook',
        summary: 'Delete a webhook and its deliveries',
        tags,
        params,
        response: { 200: responseOf(Webhook), ...errorResponses },
      },
    },
    async (request) => envelope(200, await webhooks.delete(request.params.id)),
  );

  app.post(
    '/webhooks/:id/rotate-secret',
    {
      config: write,
      schema: {
        operationId: 'rotateWebhookSecret',
        summary: 'Replace the signing secret',
        description:
          'Deliveries are signed with both secrets for `overlapHours`. The new one is shown only in this response.',
        tags,
        params,
        body: OptionalBody(RotateWebhookSecret),
        response: { 200: responseOf(RotatedWebhook), ...errorResponses },
      },
    },
    async (request) => {
      const hours = request.body?.overlapHours ?? usualOverlap;
      return envelope(200, await webhooks.rotateSecret(request.params.id, hours));
    },
  );

  app.post(
    '/webhooks/:id/test',
    {
      config: write,
      schema: {
        operationId: 'testWebhook',
        summary: 'Send a test event',
        description:
          'Sends one event of type `webhook.ping`, without retries. The response contains the result.',
        tags,
        params,
        response: { 200: responseOf(WebhookTest), ...errorResponses },
      },
    },
    async (request) => envelope(200, await webhooks.test(request.params.id)),
  );

  app.post(
    '/webhooks/:id/redeliver',
    {
      config: write,
      schema: {
        operationId: 'redeliverDead',
        summary: 'Redeliver all dead letters of a webhook',
        tags,
        params,
        response: { 200: responseOf(Redelivered), ...errorResponses },
      },
    },
    async (request) => envelope(200, await webhooks.redeliverDead(request.params.id)),
  );

  app.get(
    '/webhook-deliveries',
    {
      config: read,
      schema: {
        operationId: 'listWebhookDeliveries',
        summary: 'List deliveries, newest first',
        description:
          '`status=DEAD` lists dead letters: deliveries that are no longer retried. Counting stops after 10,000: `total` is 10,001 when there are more.',
        tags,
        querystring: pageQuery({
          webhookId: Type.Optional(Uuid),
          status: Type.Optional(DeliveryStatus),
        }),
        response: { 200: listOf(WebhookDelivery), ...errorResponses },
      },
    },
    async (request) => {
      const { page, size, ...filter } = withPage(request.query);
      return pageEnvelope(await webhooks.listDeliveries(filter, { page, size }));
    },
  );

  app.post(
    '/webhook-deliveries/:id/redeliver',
    {
      config: write,
      schema: {
        operationId: 'redeliverWebhookDelivery',
        summary: 'Redeliver one delivery',
        description: 'Starts a new series of attempts with the same event id.',
        tags,
        params,
        response: { 200: responseOf(WebhookDelivery), ...errorResponses },
      },
    },
    async (request) => envelope(200, await webhooks.redeliver(request.params.id)),
  );
}
