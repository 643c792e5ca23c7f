import { Type } from '@sinclair/typebox';
import { BindPolicy, HousePolicy } from '../../../schemas/bindings.ts';
import { errorResponses, listOf, responseOf } from '../../../schemas/envelopes.ts';
import { OptionalBody, pageQuery, Uuid } from '../../../schemas/values.ts';
import type { Bindings } from '../../../services/bindings.ts';
import { withPage } from '../../page-query.ts';
import { operatorsWith } from '../../plugins/authenticate.ts';
import { envelope, pageEnvelope } from '../../responses.ts';
import type { Scope } from '../../scope.ts';

const params = Type.Object({ id: Uuid });
const tags = ['policies'];

export function housePolicyRoutes(app: Scope, { bindings }: { bindings: Bindings }): void {
  app.get(
    '/house-policies',
    {
      config: operatorsWith('bindings:read'),
      schema: {
        operationId: 'listHousePolicies',
        summary: 'List the policies that decide for every integration',
        tags,
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
        tags,
        params,
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
        tags,
        params,
        response: { 200: responseOf(HousePolicy), ...errorResponses },
      },
    },
    async (request) => envelope(200, await bindings.unbindHouse(request.params.id)),
  );
}
