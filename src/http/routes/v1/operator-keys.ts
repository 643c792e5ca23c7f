import { Type } from '@sinclair/typebox';
import { answerOf, errorAnswers, listOf } from '../../../schemas/envelopes.ts';
import { CreatedOperatorKey, CreateOperatorKey, OperatorKey } from '../../../schemas/operator-keys.ts';
import { OptionalBody, pageQuery, Uuid } from '../../../schemas/values.ts';
import type { OperatorKeys } from '../../../services/operator-keys.ts';
import { envelope, pageEnvelope } from '../../answers.ts';
import { operatorOf, operatorsWith } from '../../plugins/authenticate.ts';
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
        response: { 201: answerOf(CreatedOperatorKey, 201), ...errorAnswers },
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
        response: { 200: listOf(OperatorKey), ...errorAnswers },
      },
    },
    async (request) => {
      const { page = 1, size = 50, ...filter } = request.query;
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
          'It is refused from the next request on. What would leave no owner who can let others in is refused: 409.',
        tags,
        params: Type.Object({ id: Uuid }),
        response: { 200: answerOf(OperatorKey), ...errorAnswers },
      },
    },
    async (request) => envelope(200, await operatorKeys.revoke(operatorOf(request), request.params.id)),
  );
}
