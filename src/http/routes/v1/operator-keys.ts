import { Type } from '@sinclair/typebox';
import { errorResponses, listOf, responseOf } from '../../../schemas/envelopes.ts';
import { CreatedOperatorKey, CreateOperatorKey, OperatorKey } from '../../../schemas/operator-keys.ts';
import { OptionalBody, pageQuery, Uuid } from '../../../schemas/values.ts';
import type { OperatorKeys } from '../../../services/operator-keys.ts';
import { withPage } from '../../page-query.ts';
import { operatorOf, operatorsWith } from '../../plugins/authenticate.ts';
import { envelope, pageEnvelope } from '../../responses.ts';
import type { Scope } from '../../scope.ts';

const tags = ['operator keys'];

export function operatorKeyRoutes(app: Scope, { operatorKeys }: { operatorKeys: OperatorKeys }): void {
  app.post(
    '/operator-keys',
    {
      config: operatorsWith('operators:write'),
      schema: {
        operationId: 'createOperatorKey',
        summary: 'Create a key for an operator',
        tags,
        body: OptionalBody(CreateOperatorKey),
        response: { 201: responseOf(CreatedOperatorKey, 201), ...errorResponses },
      },
    },
    async (request, reply) =>
      reply.code(201).send(envelope(201, await operatorKeys.create(operatorOf(request), request.body ?? {}))),
  );

  app.get(
    '/operator-keys',
    {
      config: operatorsWith('operators:read'),
      schema: {
        operationId: 'listOperatorKeys',
        summary: 'List operator keys, newest first',
        tags,
        querystring: pageQuery({ operatorId: Type.Optional(Uuid) }),
        response: { 200: listOf(OperatorKey), ...errorResponses },
      },
    },
    async (request) => {
      const { page, size, ...filter } = withPage(request.query);
      return pageEnvelope(await operatorKeys.list(operatorOf(request), { page, size }, filter));
    },
  );

  app.post(
    '/operator-keys/:id/revoke',
    {
      config: operatorsWith('operators:write'),
      schema: {
        operationId: 'revokeOperatorKey',
        summary: 'Revoke an operator key',
        description:
          'The key is refused from the next request on. Revoking the last usable key of the last active owner gets 409.',
        tags,
        params: Type.Object({ id: Uuid }),
        response: { 200: responseOf(OperatorKey), ...errorResponses },
      },
    },
    async (request) => envelope(200, await operatorKeys.revoke(operatorOf(request), request.params.id)),
  );
}
