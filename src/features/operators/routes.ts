import { Type } from '@sinclair/typebox';
import { operatorOf, operatorsWith } from '../../http/plugins/authenticate.ts';
import { envelope, pageEnvelope, withPage } from '../../http/responses.ts';

import type { Scope } from '../../http/scope.ts';
import { errorResponses, listOf, responseOf } from '../../schemas/envelopes.ts';
import { OptionalBody, pageQuery, Uuid } from '../../schemas/values.ts';
import {
  ChangeOperator,
  CreatedOperatorKey,
  CreateOperator,
  CreateOperatorKey,
  CurrentOperator,
  GroupName,
  ListedOperator,
  Operator,
  OperatorKey,
  OperatorRole,
  OperatorStatus,
} from './schema.ts';
import type { OperatorKeys, Operators } from './service.ts';

const params = Type.Object({ id: Uuid });
const tags = ['operators'];

export function operatorRoutes(app: Scope, { operators }: { operators: Operators }): void {
  app.get(
    '/operators/me',
    {
      config: operatorsWith('self:read'),
      schema: {
        operationId: 'readCurrentOperator',
        summary: 'Read the operator of this key, with its permissions',
        tags,
        response: { 200: responseOf(CurrentOperator), ...errorResponses },
      },
    },
    async (request) => envelope(200, operators.current(operatorOf(request))),
  );

  app.post(
    '/operators',
    {
      config: operatorsWith('operators:write'),
      schema: {
        operationId: 'createOperator',
        summary: 'Create an operator',
        description: 'The operator has no key yet: create one with `POST /v1/operator-keys`.',
        tags,
        body: CreateOperator,
        response: { 201: responseOf(Operator, 201), ...errorResponses },
      },
    },
    async (request, reply) =>
      reply.code(201).send(envelope(201, await operators.create(operatorOf(request), request.body))),
  );

  app.get(
    '/operators',
    {
      config: operatorsWith('operators:read'),
      schema: {
        operationId: 'listOperators',
        summary: 'List operators, newest first',
        tags,
        querystring: pageQuery({
          status: Type.Optional(OperatorStatus),
          role: Type.Optional(OperatorRole),
          group: Type.Optional(GroupName),
        }),
        response: { 200: listOf(ListedOperator), ...errorResponses },
      },
    },
    async (request) => {
      const { page, size, ...filter } = withPage(request.query);
      return pageEnvelope(await operators.list({ page, size }, filter));
    },
  );

  app.get(
    '/operators/:id',
    {
      config: operatorsWith('operators:read'),
      schema: {
        operationId: 'readOperator',
        summary: 'Read an operator and its keys',
        tags,
        params,
        response: { 200: responseOf(Operator), ...errorResponses },
      },
    },
    async (request) => envelope(200, await operators.read(operatorOf(request), request.params.id)),
  );

  app.patch(
    '/operators/:id',
    {
      config: operatorsWith('operators:write'),
      schema: {
        operationId: 'changeOperator',
        summary: 'Change an operator',
        description:
          'Fields that are left out keep their values. A DISABLED operator is refused from the next request on. A change that would leave no active owner with a usable key gets 409.',
        tags,
        params,
        body: ChangeOperator,
        response: { 200: responseOf(Operator), ...errorResponses },
      },
    },
    async (request) =>
      envelope(200, await operators.change(operatorOf(request), request.params.id, request.body)),
  );
}

const keyTags = ['operator keys'];

export function operatorKeyRoutes(app: Scope, { operatorKeys }: { operatorKeys: OperatorKeys }): void {
  app.post(
    '/operator-keys',
    {
      config: operatorsWith('operators:write'),
      schema: {
        operationId: 'createOperatorKey',
        summary: 'Create a key for an operator',
        tags: keyTags,
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
        tags: keyTags,
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
        tags: keyTags,
        params: Type.Object({ id: Uuid }),
        response: { 200: responseOf(OperatorKey), ...errorResponses },
      },
    },
    async (request) => envelope(200, await operatorKeys.revoke(operatorOf(request), request.params.id)),
  );
}
