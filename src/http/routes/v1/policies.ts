import { Type } from '@sinclair/typebox';
import { answerOf, errorAnswers, listOf } from '../../../schemas/envelopes.ts';
import {
  ActivatePolicy,
  Policy,
  PolicyStatus,
  PolicySummary,
  PolicyVersion,
} from '../../../schemas/policies.ts';
import { OptionalBody, pageQuery, Uuid } from '../../../schemas/values.ts';
import type { Policies } from '../../../services/policies.ts';
import { envelope, pageEnvelope } from '../../answers.ts';
import { operatorOf, operatorsWith } from '../../plugins/authenticate.ts';
import type { Scope } from '../../scope.ts';

const params = Type.Object({ id: Uuid });
const tags = ['policies'];

export function policyRoutes(app: Scope, { policies }: { policies: Policies }): void {
  app.get(
    '/policies',
    {
      config: operatorsWith('policies:read'),
      schema: {
        operationId: 'listPolicies',
        summary: 'List policies, newest first',
        tags,
        querystring: pageQuery({ status: Type.Optional(PolicyStatus) }),
        response: { 200: listOf(PolicySummary), ...errorAnswers },
      },
    },
    async (request) => {
      const { page = 1, size = 50, ...filter } = request.query;
      return pageEnvelope(await policies.list({ page, size }, filter));
    },
  );

  app.get(
    '/policies/:id',
    {
      config: operatorsWith('policies:read'),
      schema: {
        operationId: 'readPolicy',
        summary: 'Read a policy and its current document',
        tags,
        params,
        response: { 200: answerOf(Policy), ...errorAnswers },
      },
    },
    async (request) => envelope(200, await policies.read(request.params.id)),
  );

  app.get(
    '/policies/:id/versions',
    {
      config: operatorsWith('policies:read'),
      schema: {
        operationId: 'listPolicyVersions',
        summary: 'List the versions of a policy, newest first',
        tags,
        params,
        querystring: pageQuery({}),
        response: { 200: listOf(PolicyVersion), ...errorAnswers },
      },
    },
    async (request) => {
      const { page = 1, size = 50 } = request.query;
      return pageEnvelope(await policies.listVersions(request.params.id, { page, size }));
    },
  );

  app.post(
    '/policies/:id/activate',
    {
      config: operatorsWith('policies:write'),
      schema: {
        operationId: 'activatePolicy',
        summary: 'Let a policy decide',
        description:
          '`version` makes an earlier (or later) version the current one; without it the current one stays.',
        tags,
        params,
        body: OptionalBody(ActivatePolicy),
        response: { 200: answerOf(PolicySummary), ...errorAnswers },
      },
    },
    async (request) =>
      envelope(
        200,
        await policies.activate(operatorOf(request), request.params.id, request.body?.version ?? null),
      ),
  );

  app.post(
    '/policies/:id/deprecate',
    {
      config: operatorsWith('policies:write'),
      schema: {
        operationId: 'deprecatePolicy',
        summary: 'Retire a policy: it no longer runs',
        tags,
        params,
        response: { 200: answerOf(PolicySummary), ...errorAnswers },
      },
    },
    async (request) => envelope(200, await policies.deprecate(request.params.id)),
  );

  app.delete(
    '/policies/:id',
    {
      config: operatorsWith('policies:write'),
      schema: {
        operationId: 'deletePolicy',
        summary: 'Delete a policy that never decided',
        description: 'A policy that ever decided is kept for the record: 409, deprecate it instead.',
        tags,
        params,
        response: { 200: answerOf(PolicySummary), ...errorAnswers },
      },
    },
    async (request) => envelope(200, await policies.delete(request.params.id)),
  );
}
