import { Type } from '@sinclair/typebox';
import { expectedVersions, IfMatch, withETag } from '../../http/headers.ts';
import { operatorOf, operatorsWith } from '../../http/plugins/authenticate.ts';
import { envelope, pageEnvelope, withPage } from '../../http/responses.ts';

import type { Scope } from '../../http/scope.ts';
import { errorResponses, listOf, responseOf } from '../../schemas/envelopes.ts';
import { pageQuery, Uuid } from '../../schemas/values.ts';
import { ChangeList, CreateList, ListChange, ListKind, SharedList, SharedListSummary } from './schema.ts';
import type { Lists } from './service.ts';

const params = Type.Object({ id: Uuid });
const tags = ['lists'];

export function listRoutes(app: Scope, { lists }: { lists: Lists }): void {
  app.post(
    '/lists',
    {
      config: operatorsWith('lists:write'),
      schema: {
        operationId: 'createList',
        summary: 'Create a list that policies read as lists.NAME',
        tags,
        body: CreateList,
        response: { 201: responseOf(SharedList, 201), ...errorResponses },
      },
    },
    async (request, reply) => {
      const list = await lists.create(operatorOf(request), request.body);
      return withETag(reply, list.version).code(201).send(envelope(201, list));
    },
  );

  app.get(
    '/lists',
    {
      config: operatorsWith('lists:read'),
      schema: {
        operationId: 'listLists',
        summary: 'List the shared lists without their entries, newest first',
        tags,
        querystring: pageQuery({ kind: Type.Optional(ListKind) }),
        response: { 200: listOf(SharedListSummary), ...errorResponses },
      },
    },
    async (request) => {
      const { page, size, ...filter } = withPage(request.query);
      return pageEnvelope(await lists.list({ page, size }, filter));
    },
  );

  app.get(
    '/lists/:id',
    {
      config: operatorsWith('lists:read'),
      schema: {
        operationId: 'readList',
        summary: 'Read a list and its entries',
        tags,
        params,
        response: { 200: responseOf(SharedList), ...errorResponses },
      },
    },
    async (request, reply) => {
      const list = await lists.read(request.params.id);
      return withETag(reply, list.version).send(envelope(200, list));
    },
  );

  app.patch(
    '/lists/:id',
    {
      config: operatorsWith('lists:write'),
      schema: {
        operationId: 'changeList',
        summary: 'Change a list: policies decide by it from the next request on',
        description:
          '`entries` replaces all entries; then `add` is added and `remove` is removed. Policies get no new version; each change is recorded with its author and note.',
        tags,
        params,
        headers: IfMatch,
        body: ChangeList,
        response: { 200: responseOf(SharedList), ...errorResponses },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const list = await lists.change(operatorOf(request), id, request.body, expectedVersions(request));
      return withETag(reply, list.version).send(envelope(200, list));
    },
  );

  app.delete(
    '/lists/:id',
    {
      config: operatorsWith('lists:write'),
      schema: {
        operationId: 'deleteList',
        summary: 'Delete a list that no policy reads',
        description:
          'A list that a policy reads cannot be deleted, unless the policy is DEPRECATED: the 409 response names the policies.',
        tags,
        params,
        headers: IfMatch,
        response: { 200: responseOf(SharedList), ...errorResponses },
      },
    },
    async (request) => envelope(200, await lists.delete(request.params.id, expectedVersions(request))),
  );

  app.get(
    '/lists/:id/changes',
    {
      config: operatorsWith('lists:read'),
      schema: {
        operationId: 'listListChanges',
        summary: 'List the changes of a list, newest first',
        tags,
        params,
        querystring: pageQuery({}),
        response: { 200: listOf(ListChange), ...errorResponses },
      },
    },
    async (request) => {
      const { page, size } = withPage(request.query);
      return pageEnvelope(await lists.listChanges(request.params.id, { page, size }));
    },
  );
}
