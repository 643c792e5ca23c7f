import { Type } from '@sinclair/typebox';
import { errorResponses, responseOf } from '../../../schemas/envelopes.ts';
import { ActivatedPolicy, ActivatePolicy, PolicySummary, SchedulePolicy } from '../../../schemas/policies.ts';
import { OptionalBody, Uuid } from '../../../schemas/values.ts';
import type { PolicyActivation } from '../../../services/policy-activation.ts';
import { expectedVersions, IfMatch, withETag } from '../../if-match.ts';
import { operatorOf, operatorsWith } from '../../plugins/authenticate.ts';
import { envelope } from '../../responses.ts';
import type { Scope } from '../../scope.ts';

const common = {
  tags: ['policies'],
  params: Type.Object({ id: Uuid }),
  headers: IfMatch,
  response: { 200: responseOf(PolicySummary), ...errorResponses },
};

export function policyActivationRoutes(app: Scope, { activation }: { activation: PolicyActivation }): void {
  app.post(
    '/policies/:id/activate',
    {
      config: operatorsWith('policies:write'),
      schema: {
        ...common,
        response: { 200: responseOf(ActivatedPolicy), ...errorResponses },
        operationId: 'activatePolicy',
        summary: 'Activate a policy',
        description:
          '`version` makes an earlier or later version the current one; without it, the current version stays. A scheduled activation is cancelled.',
        body: OptionalBody(ActivatePolicy),
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const version = request.body?.version ?? null;
      const policy = await activation.activate(operatorOf(request), id, version, expectedVersions(request));
      return withETag(reply, policy.revision).send(envelope(200, policy));
    },
  );

  app.post(
    '/policies/:id/rollback',
    {
      config: operatorsWith('policies:write'),
      schema: {
        ...common,
        operationId: 'rollBackPolicy',
        summary: 'Roll an ACTIVE policy back to an earlier version',
        description: 'Rolls back to `version`; without it, to the previously current version.',
        body: OptionalBody(ActivatePolicy),
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const version = request.body?.version ?? null;
      const policy = await activation.rollBack(operatorOf(request), id, version, expectedVersions(request));
      return withETag(reply, policy.revision).send(envelope(200, policy));
    },
  );

  app.post(
    '/policies/:id/schedule',
    {
      config: operatorsWith('policies:write'),
      schema: {
        ...common,
        operationId: 'schedulePolicy',
        summary: 'Schedule the activation of a policy version',
        description:
          'Schedules the latest version, unless `version` names another one, and replaces an earlier schedule. It is checked now: under four-eyes control, the author of the version cannot schedule it.',
        body: SchedulePolicy,
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const policy = await activation.schedule(
        operatorOf(request),
        id,
        request.body,
        expectedVersions(request),
      );
      return withETag(reply, policy.revision).send(envelope(200, policy));
    },
  );

  app.delete(
    '/policies/:id/schedule',
    {
      config: operatorsWith('policies:write'),
      schema: { ...common, operationId: 'unschedulePolicy', summary: 'Cancel the scheduled activation' },
    },
    async (request, reply) => {
      const policy = await activation.unschedule(request.params.id, expectedVersions(request));
      return withETag(reply, policy.revision).send(envelope(200, policy));
    },
  );

  app.post(
    '/policies/:id/deprecate',
    {
      config: operatorsWith('policies:write'),
      schema: { ...common, operationId: 'deprecatePolicy', summary: 'Deprecate a policy: it no longer runs' },
    },
    async (request, reply) => {
      const policy = await activation.deprecate(request.params.id, expectedVersions(request));
      return withETag(reply, policy.revision).send(envelope(200, policy));
    },
  );
}
