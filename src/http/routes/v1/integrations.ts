import { Type } from '@sinclair/typebox';
import { errorResponses, listOf, responseOf } from '../../../schemas/envelopes.ts';
import {
  ChangeIntegration,
  CreatedIntegration,
  CreateIntegration,
  Integration,
  ListedIntegration,
  RegeneratedKey,
  RegeneratedWebhookSecret,
  RegenerateKey,
} from '../../../schemas/integrations.ts';
import { OptionalBody, pageQuery, Uuid } from '../../../schemas/values.ts';
import type { Integrations } from '../../../services/integrations.ts';
import { withPage } from '../../page-query.ts';
import { operatorOf, operatorsWith } from '../../plugins/authenticate.ts';
import { envelope, pageEnvelope } from '../../responses.ts';
import type { Scope } from '../../scope.ts';

const params = Type.Object({ id: Uuid });
const tags = ['integrations'];

export function integrationRoutes(app: Scope, { integrations }: { integrations: Integrations }): void {
  app.post(
    '/integrations',
    {
      config: operatorsWith('integrations:write'),
      schema: {
        operationId: 'createIntegration',
        summary: 'Create an integration and its key',
        tags,
        body: CreateIntegration,
        response: {
          201: responseOf(CreatedIntegration, 201),
          ...errorResponses,
        },
      },
    },
    async (request, reply) =>
      reply.code(201).send(envelope(201, await integrations.create(operatorOf(request), request.body))),
  );

  app.get(
    '/integrations',
    {
      config: operatorsWith('integrations:read'),
      schema: {
        operationId: 'listIntegrations',
        summary: 'List integrations, newest first',
        tags,
        querystring: pageQuery({}),
        response: { 200: listOf(ListedIntegration), ...errorResponses },
      },
    },
    async (request) => {
      const { page, size } = withPage(request.query);
      return pageEnvelope(await integrations.list({ page, size }));
    },
  );

  app.get(
    '/integrations/:id',
    {
      config: operatorsWith('integrations:read'),
      schema: {
        operationId: 'readIntegration',
        summary: 'Read an integration',
        tags,
        params,
        response: { 200: responseOf(Integration), ...errorResponses },
      },
    },
    async (request) => envelope(200, await integrations.read(request.params.id)),
  );

  app.patch(
    '/integrations/:id',
    {
      config: operatorsWith('integrations:write'),
      schema: {
        operationId: 'changeIntegration',
        summary: 'Change an integration',
        description: 'Fields and settings that are absent stay as they are. The kind never changes.',
        tags,
        params,
        body: ChangeIntegration,
        response: { 200: responseOf(Integration), ...errorResponses },
      },
    },
    async (request) => envelope(200, await integrations.change(request.params.id, request.body)),
  );

  app.delete(
    '/integrations/:id',
    {
      config: operatorsWith('integrations:write'),
      schema: {
        operationId: 'deleteIntegration',
        summary: 'Delete an integration',
        description: 'Its keys are refused at once; what it recorded stays.',
        tags,
        params,
        response: { 200: responseOf(Integration), ...errorResponses },
      },
    },
    async (request) => envelope(200, await integrations.delete(request.params.id)),
  );

  app.post(
    '/integrations/:id/regenerate-key',
    {
      config: operatorsWith('integrations:write'),
      schema: {
        operationId: 'regenerateKey',
        summary: 'Replace all keys of an integration at once',
        description:
          'They are refused from the next request on. The new one has the name and scopes of the newest of them. To replace one without downtime, rotate it.',
        tags,
        params,
        body: OptionalBody(RegenerateKey),
        response: { 200: responseOf(RegeneratedKey), ...errorResponses },
      },
    },
    async (request) =>
      envelope(
        200,
        await integrations.regenerateKey(operatorOf(request), request.params.id, request.body ?? {}),
      ),
  );

  app.post(
    '/integrations/:id/regenerate-webhook-secret',
    {
      config: operatorsWith('integrations:write'),
      schema: {
        operationId: 'regenerateWebhookSecret',
        summary: 'Replace the secret that signs callbacks',
        description: 'Callbacks still on their way are signed with the new one.',
        tags,
        params,
        response: { 200: responseOf(RegeneratedWebhookSecret), ...errorResponses },
      },
    },
    async (request) => envelope(200, await integrations.regenerateWebhookSecret(request.params.id)),
  );
}
