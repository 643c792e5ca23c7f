import { Type } from '@sinclair/typebox';
import {
  IdempotencyKeyHeader,
  IdentityHeader,
  idempotencyKeyOf,
  identityTokenOf,
} from '../../http/headers.ts';
import { checkJson, metadataJson } from '../../http/json-checks.ts';
import {
  integrationOf,
  operatorOf,
  operatorsWith,
  ownerFor,
  ownerInList,
} from '../../http/plugins/authenticate.ts';
import { pageEnvelope, sendResponse, sendText, sendTextPage, withPage } from '../../http/responses.ts';

import type { Scope } from '../../http/scope.ts';
import { memberText } from '../../json/member-text.ts';
import { errorResponses, listOf, responseOf } from '../../schemas/envelopes.ts';
import { ListedEvaluation } from '../../schemas/evaluations.ts';
import { KeptText, OptionalBody, pageQuery, Uuid } from '../../schemas/values.ts';
import type { EvaluationRecords } from '../../services/evaluation-records.ts';
import {
  CreatedEvaluationSession,
  CreateEvaluationSession,
  EndEvaluationSession,
  EndedEvaluationSession,
  EvaluationSession,
  ListedEvaluationSession,
  RemoveGrant,
  RemoveLabel,
  SessionStatus,
} from './schema.ts';
import type { EvaluationSessions } from './service.ts';

const params = Type.Object({ sessionId: Uuid });
const opening = { callers: 'integration', scope: 'sessions:open' } as const;
/** Operators read the sessions of every integration. */
const reading = { callers: 'any', permission: 'sessions:read', scope: 'read' } as const;
const ending = { callers: 'any', permission: 'sessions:write', scope: 'sessions:end' } as const;
const tags = ['evaluation sessions'];

export function evaluationSessionRoutes(
  app: Scope,
  { sessions, records }: { sessions: EvaluationSessions; records: EvaluationRecords },
): void {
  app.post(
    '/evaluation-sessions',
    {
      config: opening,
      schema: {
        operationId: 'createEvaluationSession',
        summary: 'Open a session',
        tags,
        headers: Type.Composite([IdempotencyKeyHeader, IdentityHeader]),
        body: OptionalBody(CreateEvaluationSession),
        response: { 201: responseOf(CreatedEvaluationSession, 201), ...errorResponses },
      },
    },
    async (request, reply) => {
      const body = request.body ?? {};
      checkJson(body.metadata, '/metadata', metadataJson);
      const metadata = body.metadata === undefined ? null : memberText(request.bodyText, 'metadata');
      const response = await sessions.create(
        integrationOf(request),
        body,
        metadata,
        idempotencyKeyOf(request),
        { identityToken: identityTokenOf(request) },
      );
      return sendResponse(reply, 201, response);
    },
  );

  app.post(
    '/evaluation-sessions/:sessionId/end',
    {
      config: ending,
      schema: {
        operationId: 'endEvaluationSession',
        summary: 'End a session',
        description:
          'With it end the sessions below it. An integration ends its own, an operator any: its agent then gets 409 for further actions, and cannot continue the session in another one.',
        tags,
        params,
        headers: IdempotencyKeyHeader,
        body: OptionalBody(EndEvaluationSession),
        response: { 200: responseOf(EndedEvaluationSession), ...errorResponses },
      },
    },
    async (request, reply) => {
      const status = request.body?.status ?? 'COMPLETED';
      const { sessionId } = request.params;
      const response = await sessions.end(ownerFor(request), sessionId, status, idempotencyKeyOf(request));
      return sendResponse(reply, 200, response);
    },
  );

  app.get(
    '/evaluation-sessions/:sessionId',
    {
      config: reading,
      schema: {
        operationId: 'readEvaluationSession',
        summary: 'Read a session',
        tags,
        params,
        response: { 200: responseOf(EvaluationSession), ...errorResponses },
      },
    },
    async (request, reply) =>
      sendText(reply, 200, (await sessions.read(ownerFor(request), request.params.sessionId)).text),
  );

  app.post(
    '/evaluation-sessions/:sessionId/remove-label',
    {
      config: operatorsWith('sessions:write'),
      schema: {
        operationId: 'removeLabel',
        summary: 'Take a label from a session',
        description: 'The removal is in the audit record, with the labels before and after.',
        tags,
        params,
        body: RemoveLabel,
        response: { 200: responseOf(EvaluationSession), ...errorResponses },
      },
    },
    async (request, reply) => {
      const { sessionId } = request.params;
      return sendText(
        reply,
        200,
        (await sessions.removeLabel(operatorOf(request), sessionId, request.body.label)).text,
      );
    },
  );

  app.post(
    '/evaluation-sessions/:sessionId/remove-grant',
    {
      config: operatorsWith('sessions:write'),
      schema: {
        operationId: 'removeGrant',
        summary: 'Take a grant of an approval back',
        description: 'Actions that it would have let through are held again.',
        tags,
        params,
        body: RemoveGrant,
        response: { 200: responseOf(EvaluationSession), ...errorResponses },
      },
    },
    async (request, reply) => {
      const { sessionId } = request.params;
      return sendText(reply, 200, (await sessions.removeGrant(sessionId, request.body.grantId)).text);
    },
  );

  app.get(
    '/evaluation-sessions',
    {
      config: reading,
      schema: {
        operationId: 'listEvaluationSessions',
        summary: 'List sessions, newest first',
        description:
          'An integration sees its own; `integrationId` is for operators. On PostgreSQL, counting stops after 10,000: `total` is 10,001 when there are more.',
        tags,
        querystring: pageQuery({
          status: Type.Optional(SessionStatus),
          entityId: Type.Optional(Uuid),
          externalSessionId: Type.Optional(KeptText(255)),
          parentSessionId: Type.Optional(
            Type.String({ ...Uuid, description: 'only the sessions that were opened below this one' }),
          ),
          integrationId: Type.Optional(Uuid),
        }),
        response: { 200: listOf(ListedEvaluationSession), ...errorResponses },
      },
    },
    async (request, reply) => {
      const { page, size, integrationId, ...filter } = withPage(request.query);
      const owner = ownerInList(request, integrationId);
      return sendTextPage(reply, await sessions.list(owner, filter, { page, size }));
    },
  );

  app.get(
    '/evaluation-sessions/:sessionId/evaluations',
    {
      config: reading,
      schema: {
        operationId: 'listEvaluations',
        summary: 'List the evaluations of a session, newest first',
        tags,
        params,
        querystring: pageQuery({}),
        response: { 200: listOf(ListedEvaluation), ...errorResponses },
      },
    },
    async (request) => {
      const { page, size } = withPage(request.query);
      const { sessionId } = request.params;
      return pageEnvelope(await records.listInSession(ownerFor(request), sessionId, { page, size }));
    },
  );
}
