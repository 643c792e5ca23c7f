import { Type } from '@sinclair/typebox';
import { operatorOf, operatorsWith } from '../../http/plugins/authenticate.ts';
import { envelope, pageEnvelope, withPage } from '../../http/responses.ts';

import type { Scope } from '../../http/scope.ts';
import { Severity } from '../../schemas/decisions.ts';
import { errorResponses, listOf, responseOf } from '../../schemas/envelopes.ts';
import { KeptText, OptionalBody, pageQuery, Timestamp, Uuid } from '../../schemas/values.ts';
import {
  AcknowledgeViolation,
  DismissViolation,
  RecordedViolation,
  ResolveViolation,
  RuleViolations,
  ViolationStatus,
} from './schema.ts';
import type { Violations } from './service.ts';

const params = Type.Object({ id: Uuid });
const tags = ['violations'];
const times = {
  from: Type.Optional(Timestamp),
  to: Type.Optional(Type.String({ ...Timestamp, description: 'before this time' })),
};
const one = { 200: responseOf(RecordedViolation), ...errorResponses };

export function violationRoutes(app: Scope, { violations }: { violations: Violations }): void {
  app.get(
    '/violations',
    {
      config: operatorsWith('violations:read'),
      schema: {
        operationId: 'listViolations',
        summary: 'List violations, newest first',
        description: 'Counting stops after 1,000: `total` is 1,001 when there are more.',
        tags,
        querystring: pageQuery({
          status: Type.Optional(ViolationStatus),
          rule: Type.Optional(KeptText(100, { minLength: 1 })),
          policyId: Type.Optional(Uuid),
          severity: Type.Optional(Severity),
          integrationId: Type.Optional(Uuid),
          sessionId: Type.Optional(Uuid),
          entityId: Type.Optional(Uuid),
          ...times,
        }),
        response: { 200: listOf(RecordedViolation), ...errorResponses },
      },
    },
    async (request) => {
      const { page, size, rule, ...filter } = withPage(request.query);
      const query = { ...filter, ...(rule !== undefined && { ruleId: rule }) };
      return pageEnvelope(await violations.list(query, { page, size }));
    },
  );

  app.get(
    '/violations/rules',
    {
      config: operatorsWith('violations:read'),
      schema: {
        operationId: 'countViolationsByRule',
        summary: 'Show the false-positive rate of each rule',
        description:
          'Computed from violations that operators resolved or dismissed. At most 200 rules, those with the most false positives first.',
        tags,
        querystring: Type.Object(times, { additionalProperties: false }),
        response: { 200: responseOf(Type.Array(RuleViolations)), ...errorResponses },
      },
    },
    async (request) => envelope(200, await violations.byRule(request.query)),
  );

  app.get(
    '/violations/:id',
    {
      config: operatorsWith('violations:read'),
      schema: { operationId: 'readViolation', summary: 'Read a violation', tags, params, response: one },
    },
    async (request) => envelope(200, await violations.read(request.params.id)),
  );

  app.post(
    '/violations/:id/acknowledge',
    {
      config: operatorsWith('violations:triage'),
      schema: {
        operationId: 'acknowledgeViolation',
        summary: 'Acknowledge a NEW violation',
        tags,
        params,
        body: OptionalBody(AcknowledgeViolation),
        response: one,
      },
    },
    async (request) =>
      envelope(200, await violations.acknowledge(operatorOf(request), request.params.id, request.body ?? {})),
  );

  app.post(
    '/violations/:id/resolve',
    {
      config: operatorsWith('violations:triage'),
      schema: {
        operationId: 'resolveViolation',
        summary: 'Resolve a violation',
        tags,
        params,
        body: ResolveViolation,
        response: one,
      },
    },
    async (request) =>
      envelope(200, await violations.resolve(operatorOf(request), request.params.id, request.body)),
  );

  app.post(
    '/violations/:id/dismiss',
    {
      config: operatorsWith('violations:triage'),
      schema: {
        operationId: 'dismissViolation',
        summary: 'Dismiss a violation',
        tags,
        params,
        body: DismissViolation,
        response: one,
      },
    },
    async (request) =>
      envelope(200, await violations.dismiss(operatorOf(request), request.params.id, request.body)),
  );
}
