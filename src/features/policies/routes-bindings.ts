import { Type } from '@sinclair/typebox';
import { operatorsWith } from '../../http/plugins/authenticate.ts';
import { envelope, pageEnvelope, withPage } from '../../http/responses.ts';

import type { Scope } from '../../http/scope.ts';
import { errorResponses, listOf, responseOf } from '../../schemas/envelopes.ts';
import { OptionalBody, pageQuery, Uuid } from '../../schemas/values.ts';
import type { Bindings } from './bindings.ts';
import { Binding, BindPolicy, BoundPolicy, HousePolicy } from './schema.ts';

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

const houseParams = Type.Object({ id: Uuid });
const houseTags = ['policies'];

export function housePolicyRoutes(app: Scope, { bindings }: { bindings: Bindings }): void {
  app.get(
    '/house-policies',
    {
      config: operatorsWith('bindings:read'),
      schema: {
        operationId: 'listHousePolicies',
        summary: 'List the policies that decide for every integration',
        tags: houseTags,
        querystring: pageQuery({}),
        response: { 200: listOf(HousePolicy), ...errorResponses },
      },
    },
    async (request) => {
      const { page, size } = withPage(request.query);
      return pageEnvelope(await bindings.listHouse({ page, size }));
    },
  );

  app.put(
    '/house-policies/:id',
    {
      config: operatorsWith('house-policies:write'),
      schema: {
        operationId: 'bindHousePolicy',
        summary: 'Let a policy decide for every integration, those to come included',
        description:
          'The policy applies to every integration while it is ACTIVE. A binding of the same policy to an integration, with its own params or mode, applies in addition, so it can only make decisions stricter.',
        tags: houseTags,
        params: houseParams,
        body: OptionalBody(BindPolicy),
        response: { 200: responseOf(HousePolicy), ...errorResponses },
      },
    },
    async (request) => envelope(200, await bindings.bindHouse(request.params.id, request.body ?? null)),
  );

  app.delete(
    '/house-policies/:id',
    {
      config: operatorsWith('house-policies:write'),
      schema: {
        operationId: 'unbindHousePolicy',
        summary: 'Let a policy decide only where it is bound',
        tags: houseTags,
        params: houseParams,
        response: { 200: responseOf(HousePolicy), ...errorResponses },
      },
    },
    async (request) => envelope(200, await bindings.unbindHouse(request.params.id)),
  );
}
