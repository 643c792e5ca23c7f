import { Type } from '@sinclair/typebox';
import { errorResponses, listOf, responseOf } from '../../../schemas/envelopes.ts';
import { Policy, PolicyDiff, PolicyStatus, PolicySummary, PolicyVersion } from '../../../schemas/policies.ts';
import { pageQuery, Uuid } from '../../../schemas/values.ts';
import type { Policies } from '../../../services/policies.ts';
import { expectedVersions, IfMatch, withETag } from '../../if-match.ts';
import { withPage } from '../../page-query.ts';
import { operatorOf, operatorsWith } from '../../plugins/authenticate.ts';
import { envelope, pageEnvelope } from '../../responses.ts';
import type { Scope } from '../../scope.ts';

const params = Type.Object({ id: Uuid });
const version = Type.String({ pattern: '^[1-9][0-9]{0,8}$', description: 'version number' });
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
        response: { 200: listOf(PolicySummary), ...errorResponses },
      },
    },
    async (request) => {
      const { page, size, ...filter } = withPage(request.query);
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
        response: { 200: responseOf(Policy), ...errorResponses },
      },
    },
    async (request, reply) => {
      const policy = await policies.read(request.params.id);
      return withETag(reply, policy.revision).send(envelope(200, policy));
    },
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
        response: { 200: listOf(PolicyVersion), ...errorResponses },
      },
    },
    async (request) => {
      const { page, size } = withPage(request.query);
      return pageEnvelope(await policies.listVersions(request.params.id, { page, size }));
    },
  );

  app.get(
    '/policies/:id/versions/:version',
    {
      config: operatorsWith('policies:read'),
      schema: {
        operationId: 'readPolicyVersion',
        summary: 'Read one version of a policy',
        tags,
        params: Type.Object({ id: Uuid, version }),
        response: { 200: responseOf(PolicyVersion), ...errorResponses },
      },
    },
    async ({ params }) => envelope(200, await policies.readVersion(params.id, Number(params.version))),
  );

  app.get(
    '/policies/:id/versions/:from/diff/:to',
    {
      config: operatorsWith('policies:read'),
      schema: {
        operationId: 'comparePolicyVersions',
        summary: 'Compare two versions of a policy',
        description:
          'Lists the settings, params, variables, counters, detectors, tools, rules, labels and tests in which version `to` differs from version `from`, and returns a unified diff.',
        tags,
        params: Type.Object({ id: Uuid, from: version, to: version }),
        response: { 200: responseOf(PolicyDiff), ...errorResponses },
      },
    },
    async (request) => {
      const { id, from, to } = request.params;
      return envelope(200, await policies.diff(operatorOf(request), id, Number(from), Number(to)));
    },
  );

  app.delete(
    '/policies/:id',
    {
      config: operatorsWith('policies:write'),
      schema: {
        operationId: 'deletePolicy',
        summary: 'Delete a policy that took part in no decision',
        description:
          'A policy that took part in a decision is kept for the record: the response is 409. Deprecate it instead.',
        tags,
        params,
        headers: IfMatch,
        response: { 200: responseOf(PolicySummary), ...errorResponses },
      },
    },
    async (request) => envelope(200, await policies.delete(request.params.id, expectedVersions(request))),
  );
}
