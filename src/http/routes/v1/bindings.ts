import { Type } from '@sinclair/typebox';
import { Binding, BindPolicy, BoundPolicy } from '../../../schemas/bindings.ts';
import { errorResponses, listOf, responseOf } from '../../../schemas/envelopes.ts';
import { OptionalBody, pageQuery, Uuid } from '../../../schemas/values.ts';
import type { Bindings } from '../../../services/bindings.ts';
import { withPage } from '../../page-query.ts';
import { operatorsWith } from '../../plugins/authenticate.ts';
import { envelope, pageEnvelope } from '../../responses.ts';
import type { Scope } from '../../scope.ts';

const params = Type.Object({ id: Uuid, policyId: Uuid });
const tags = ['integrations'];

export function bindingRoutes(app: Scope, { bindings }: { bindings: Bindings }): void {
  app.get(
    '/integrations/:id/policies',
    {
      config: operatorsWith('bindings:read'),
      schema: {
        operationId: 'listBoundPolicies',
        summary: 'List the policies bound to an integration',
        description:
          'House policies also apply to the integration, but are not listed here: see `GET /v1/house-policies`.',
        tags,
        params: Type.Object({ id: Uuid }),
        querystring: pageQuery({}),
        response: { 200: listOf(BoundPolicy), ...errorResponses },
      },
    },
    async (request) => {
      const { page, size } = withPage(request.query);
      return pageEnvelope(await bindings.listBound(request.params.id, { page, size }));
    },
  );

  app.put(
    '/integrations/:id/policies/:policyId',
    {
      config: operatorsWith('bindings:write'),
      schema: {
        operationId: 'bindPolicy',
        summary: 'Bind a policy to an integration, or change its binding',
        description:
          'The policy applies to the integration while it is ACTIVE. A body replaces the params and the mode of the binding; without a body, an existing binding stays as it is.',
        tags,
        params,
        body: OptionalBody(BindPolicy),
        response: { 200: responseOf(Binding), ...errorResponses },
      },
    },
    async (request) => {
      const { id, policyId } = request.params;
      return envelope(200, await bindings.bind(id, policyId, request.body ?? null));
    },
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
        response: { 200: responseOf(Binding), ...errorResponses },
      },
    },
    async (request) => envelope(200, await bindings.unbind(request.params.id, request.params.policyId)),
  );
}
