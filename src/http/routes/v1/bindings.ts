import { Type } from '@sinclair/typebox';
import { answerOf, errorAnswers, listOf } from '../../../schemas/envelopes.ts';
import { Binding, PolicySummary } from '../../../schemas/policies.ts';
import { pageQuery, Uuid } from '../../../schemas/values.ts';
import type { Policies } from '../../../services/policies.ts';
import { envelope, pageEnvelope } from '../../answers.ts';
import { operatorsWith } from '../../plugins/authenticate.ts';
import type { Scope } from '../../scope.ts';

const params = Type.Object({ id: Uuid, policyId: Uuid });
const tags = ['integrations'];

export function bindingRoutes(app: Scope, { policies }: { policies: Policies }): void {
  app.get(
    '/integrations/:id/policies',
    {
      config: operatorsWith('bindings:read'),
      schema: {
        operationId: 'listBoundPolicies',
        summary: 'List the policies bound to an integration',
        tags,
        params: Type.Object({ id: Uuid }),
        querystring: pageQuery({}),
        response: { 200: listOf(PolicySummary), ...errorAnswers },
      },
    },
    async (request) => {
      const { page = 1, size = 50 } = request.query;
      return pageEnvelope(await policies.listBound(request.params.id, { page, size }));
    },
  );

  app.put(
    '/integrations/:id/policies/:policyId',
    {
      config: operatorsWith('bindings:write'),
      schema: {
        operationId: 'bindPolicy',
        summary: 'Bind a policy to an integration',
        description: 'It decides for the integration while it is ACTIVE.',
        tags,
        params,
        response: { 200: answerOf(Binding), ...errorAnswers },
      },
    },
    async (request) => envelope(200, await policies.bind(request.params.id, request.params.policyId)),
  );

  app.delete(
    '/integrations/:id/policies/:policyId',
    {
      config: operatorsWith('bindings:write'),
      schema: {
        operationId: 'unbindPolicy',
        summary: 'Unbind a policy from an integration',
        tags,
        params,
        response: { 200: answerOf(Binding), ...errorAnswers },
      },
    },
    async (request) => envelope(200, await policies.unbind(request.params.id, request.params.policyId)),
  );
}
