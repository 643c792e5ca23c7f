import { Type } from '@sinclair/typebox';
import { answerOf, errorAnswers, listOf } from '../../../schemas/envelopes.ts';
import { CreatedOperatorKey, OperatorKey } from '../../../schemas/operator-keys.ts';
import { pageQuery, Uuid } from '../../../schemas/values.ts';
import type { OperatorKeys } from '../../../services/operator-keys.ts';
import { envelope, pageEnvelope } from '../../answers.ts';
import { operatorOf } from '../../plugins/authenticate.ts';
import type { Scope } from '../../scope.ts';

const config = { callers: 'operator' } as const;
const tags = ['operator keys'];

export function operatorKeyRoutes(app: Scope, { operatorKeys }: { operatorKeys: OperatorKeys }): void {
  app.post(
    '/operator-keys',
    {
      config,
      schema: {
        operationId: 'createOperatorKey',
        summary: 'Create another operator key',
        tags,
        response: { 201: answerOf(CreatedOperatorKey, 201), ...errorAnswers },
      },
    },
    async (request, reply) =>
      reply.code(201).send(envelope(201, await operatorKeys.create(operatorOf(request)))),
  );

  app.get(
    '/operator-keys',
    {
      config,
      schema: {
        operationId: 'listOperatorKeys',
        summary: 'List operator keys, newest first',
        tags,
        querystring: pageQuery({}),
        response: { 200: listOf(OperatorKey), ...errorAnswers },
      },
    },
    async (request) => {
      const { page = 1, size = 50 } = request.query;
      return pageEnvelope(await operatorKeys.list(operatorOf(request), { page, size }));
    },
  );

  app.post(
    '/operator-keys/:id/revoke',
    {
      config,
      schema: {
        operationId: 'revokeOperatorKey',
        summary: 'Revoke an operator key',
        description: 'It is refused from the next request on. The last one is never revoked: 409.',
        tags,
        params: Type.Object({ id: Uuid }),
        response: { 200: answerOf(OperatorKey), ...errorAnswers },
      },
    },
    async (request) => envelope(200, await operatorKeys.revoke(operatorOf(request), request.params.id)),
  );
}
