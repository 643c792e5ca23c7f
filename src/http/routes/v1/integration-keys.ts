import { Type } from '@sinclair/typebox';
import { errorResponses, listOf, responseOf } from '../../../schemas/envelopes.ts';
import {
  CreatedIntegrationKey,
  CreateIntegrationKey,
  IntegrationKey,
  RotatedIntegrationKey,
  RotateIntegrationKey,
} from '../../../schemas/integration-keys.ts';
import { OptionalBody, pageQuery, Uuid } from '../../../schemas/values.ts';
import type { IntegrationKeys } from '../../../services/integration-keys.ts';
import { withPage } from '../../page-query.ts';
import { operatorOf, operatorsWith } from '../../plugins/authenticate.ts';
import { envelope, pageEnvelope } from '../../responses.ts';
import type { Scope } from '../../scope.ts';

const params = Type.Object({ id: Uuid, keyId: Uuid });
const tags = ['integrations'];

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
      const { params, body } = request;
      const key = await integrationKeys.create(operatorOf(request), params.id, body ?? {});
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
        params,
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
        params,
        response: { 200: responseOf(IntegrationKey), ...errorResponses },
      },
    },
    async (request) => envelope(200, await integrationKeys.revoke(request.params.id, request.params.keyId)),
  );
}
