import { Type } from '@sinclair/typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../../errors.ts';
import type { Evaluations } from '../../../evaluate/evaluate.ts';
import type { EvaluateRequest } from '../../../schemas/evaluations.ts';
import type { Scope } from '../../scope.ts';
import { decide, sessionNamed } from './decide.ts';
import { targetOf } from './http-target.ts';
import { callIn, isCall, refuseDisguisedCalls } from './json-rpc-calls.ts';

const prefix = '/ext-authz';

/**
 * Envoy's external authorization over HTTP (envoy.extensions.filters.http.ext_authz.v3.HttpService): the request as it came,
 * behind a prefix. 200 lets it through; every other response denies it, errors included.
 */
export function extAuthzRoutes(app: Scope, { evaluations }: { evaluations: Evaluations }): void {
  // A body that is no JSON is evaluated as text, and one of bytes is seen as unreadable.
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body || null));

  const querystring = Type.Record(Type.String(), Type.Unknown());
  const route = {
    url: `${prefix}/*`,
    exposeHeadRoute: false,
    config: { callers: 'integration', scope: 'evaluate' },
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      const { allowed, reason, response } = await decide(evaluations, request, requestOf(request));
      reply.header('x-assize-evaluation-id', response.evaluationRunId);
      if (response.reviewRequestId !== null) reply.header('x-assize-review-id', response.reviewRequestId);
      return allowed ? reply.code(200).send() : reply.code(403).send({ reason });
    },
  } as const;
  app.route({ ...route, method: ['GET', 'HEAD'], schema: { hide: true, querystring } });
  app.route({
    ...route,
    method: ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
    schema: { hide: true, querystring, body: Type.Unknown() },
  });
}

function requestOf(request: FastifyRequest): EvaluateRequest {
  const { method, url, headers, body } = request;
  if (headers['x-envoy-auth-partial-body'] === 'true')
    throw new AppError('invalid', 'only a part of the body came: leave allow_partial_message out in Envoy');
  const { path, query } = targetOf(url.slice(url.indexOf(prefix) + prefix.length));
  // Host names mean the same in upper and lower case, and with a dot at the end. X-Forwarded-Host counts from trusted proxies
  // only: any client could send it.
  const host = plainHost(request.host);
  const http = { method, host, path, query };
  refuseDisguisedCalls(body);
  const session = headers['x-assize-session'];
  return {
    input: isCall(body)
      ? callIn(body, http)
      : { tool: 'http.request', ...http, ...(hasBody(body) && { body }) },
    targetKey: `${method} ${host}${path}`.slice(0, 1_000),
    ...sessionNamed('envoy', typeof session === 'string' ? session : null),
  };
}

const hasBody = (body: unknown): boolean => body !== null && body !== undefined;

/** A host in the one form that rules compare: lower case, without dots at its end, and without an empty or usual port. */
function plainHost(sent: string): string {
  return sent
    .toLowerCase()
    .replace(/\.*(:\d*)?$/, (_, port: string = '') => ([':', ':80', ':443'].includes(port) ? '' : port));
}
