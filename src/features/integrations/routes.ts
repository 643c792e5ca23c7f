import { Type } from '@sinclair/typebox';
import { operatorOf, operatorsWith } from '../../http/plugins/authenticate.ts';
import { envelope, pageEnvelope, withPage } from '../../http/responses.ts';

import type { Scope } from '../../http/scope.ts';
import { errorResponses, listOf, responseOf } from '../../schemas/envelopes.ts';
import { ExactName, OptionalBody, pageQuery, Uuid } from '../../schemas/values.ts';
import {
  ChangeIntegration,
  CreatedIntegration,
  CreatedIntegrationKey,
  CreateIntegration,
  CreateIntegrationKey,
  Integration,
  IntegrationKey,
  ListedIntegration,
  RegeneratedKey,
  RegeneratedWebhookSecret,
  RegenerateKey,
  RotatedIntegrationKey,
  RotateIntegrationKey,
} from './schema.ts';
import type { IntegrationKeys, Integrations } from './service.ts';

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
        querystring: pageQuery({ name: Type.Optional(ExactName) }),
        response: { 200: listOf(ListedIntegration), ...errorResponses },
      },
    },
    async (request) => {
      const { page, size, ...filter } = withPage(request.query);
      return pageEnvelope(await integrations.list({ page, size }, filter));
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

const keyParams = Type.Object({ id: Uuid, keyId: Uuid });

/** The keys of integrations, each with its scopes. */
export function integrationKeyRoutes(
  app: Scope,
  { integrationKeys }: { integrationKeys: IntegrationKeys },
): void {
  app.get(
    '/integrations/:id/keys',
    {
      config: operatorsWith('integrations:read'),
      schema: {
        operationId: 'listIntegrationKeys',
        summary: 'List the keys of an integration, newest first',
        tags,
        params: Type.Object({ id: Uuid }),
        querystring: pageQuery({}),
        response: { 200: listOf(IntegrationKey), ...errorResponses },
      },
    },
    async (request) => {
      const { page, size } = withPage(request.query);
      return pageEnvelope(await integrationKeys.list(request.params.id, { page, size }));
    },
  );

  app.post(
    '/integrations/:id/keys',
    {
      config: operatorsWith('integrations:write'),
      schema: {
        operationId: 'createIntegrationKey',
        summary: 'Create another key of an integration',
        description: 'It works beside the others. What its `scopes` leave out is refused with 403.',
        tags,
        params: Type.Object({ id: Uuid }),
        body: OptionalBody(CreateIntegrationKey),
        response: { 201: responseOf(CreatedIntegrationKey, 201), ...errorResponses },
      },
    },
    async (request, reply) => {
      const { params: keyParams, body } = request;
      const key = await integrationKeys.create(operatorOf(request), keyParams.id, body ?? {});
      return reply.code(201).send(envelope(201, key));
    },
  );

  app.post(
    '/integrations/:id/keys/:keyId/rotate',
    {
      config: operatorsWith('integrations:write'),
      schema: {
        operationId: 'rotateIntegrationKey',
        summary: 'Replace a key of an integration without downtime',
        description:
          'Makes another key with the same name and scopes. Both work for `overlapHours`, unless the old one expires earlier.',
        tags,
        params: keyParams,
        body: OptionalBody(RotateIntegrationKey),
        response: { 200: responseOf(RotatedIntegrationKey), ...errorResponses },
      },
    },
    async (request) => {
      const { id, keyId } = request.params;
      return envelope(200, await integrationKeys.rotate(operatorOf(request), id, keyId, request.body ?? {}));
    },
  );

  app.post(
    '/integrations/:id/keys/:keyId/revoke',
    {
      config: operatorsWith('integrations:write'),
      schema: {
        operationId: 'revokeIntegrationKey',
        summary: 'Revoke a key of an integration',
        description: 'It is refused from the next request on; the others go on working.',
        tags,
        params: keyParams,
        response: { 200: responseOf(IntegrationKey), ...errorResponses },
      },
    },
    async (request) => envelope(200, await integrationKeys.revoke(request.params.id, request.params.keyId)),
  );
}
