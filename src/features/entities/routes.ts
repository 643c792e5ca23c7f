import { Type } from '@sinclair/typebox';
import { checkJson, metadataJson } from '../../http/json-checks.ts';
import { operatorsWith } from '../../http/plugins/authenticate.ts';
import { envelope, pageEnvelope, withPage } from '../../http/responses.ts';

import type { Scope } from '../../http/scope.ts';
import { errorResponses, listOf, responseOf } from '../../schemas/envelopes.ts';
import { KeptText, pageQuery, Uuid } from '../../schemas/values.ts';
import { ChangeEntity, Entity, EntityKind, ListedEntity, RegisterEntity } from './schema.ts';
import type { Entities } from './service.ts';

const params = Type.Object({ id: Uuid });
const tags = ['entities'];
const one = { 200: responseOf(Entity), ...errorResponses };

export function entityRoutes(app: Scope, { entities }: { entities: Entities }): void {
  app.post(
    '/entities',
    {
      config: operatorsWith('entities:write'),
      schema: {
        operationId: 'registerEntity',
        summary: 'Register a governed entity',
        description:
          'A governed entity is the person, team, agent or service that an agent works for. Sessions name it by `entityId`, registered or not.',
        tags,
        body: RegisterEntity,
        response: { 201: responseOf(Entity, 201), ...errorResponses },
      },
    },
    async (request, reply) => {
      checkJson(request.body.metadata, '/metadata', metadataJson);
      return reply.code(201).send(envelope(201, await entities.register(request.body)));
    },
  );

  app.get(
    '/entities',
    {
      config: operatorsWith('entities:read'),
      schema: {
        operationId: 'listEntities',
        summary: 'List the registered entities, newest first',
        tags,
        querystring: pageQuery({
          kind: Type.Optional(EntityKind),
          owner: Type.Optional(KeptText(200, { minLength: 1 })),
        }),
        response: { 200: listOf(ListedEntity), ...errorResponses },
      },
    },
    async (request) => {
      const { page, size, ...filter } = withPage(request.query);
      return pageEnvelope(await entities.list({ page, size }, filter));
    },
  );

  app.get(
    '/entities/:id',
    {
      config: operatorsWith('entities:read'),
      schema: {
        operationId: 'readEntity',
        summary: 'Read a registered entity, with its sessions and violations in numbers, and its counters',
        description: '`GET /v1/evaluation-sessions?entityId=` lists its sessions.',
        tags,
        params,
        response: one,
      },
    },
    async (request) => envelope(200, await entities.read(request.params.id)),
  );

  app.patch(
    '/entities/:id',
    {
      config: operatorsWith('entities:write'),
      schema: {
        operationId: 'changeEntity',
        summary: 'Change a registered entity',
        tags,
        params,
        body: ChangeEntity,
        response: one,
      },
    },
    async (request) => {
      checkJson(request.body.metadata, '/metadata', metadataJson);
      return envelope(200, await entities.change(request.params.id, request.body));
    },
  );

  app.delete(
    '/entities/:id',
    {
      config: operatorsWith('entities:write'),
      schema: {
        operationId: 'deleteEntity',
        summary: 'Delete the registration of an entity; its sessions and their record stay',
        tags,
        params,
        response: one,
      },
    },
    async (request) => envelope(200, await entities.delete(request.params.id)),
  );
}
