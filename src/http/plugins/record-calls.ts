import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Audit, Recording } from '../../features/audit/service.ts';
import { Uuid } from '../../schemas/values.ts';
import type { Caller } from '../../services/access/authentication.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The recording of a management call, once its caller is known. */
    recording: Recording | null;
  }
}

/** Longest reason of a refusal that an entry keeps, in characters. */
const longestReason = 500;
const uuid = new RegExp(Uuid.pattern ?? '');

/**
 * Records every call of an operator, every call of an integration that only operators may make, and the changes that an integration
 * makes to itself. Must be registered after
 * callers are authenticated, and is called for refused calls too.
 */
export function recordCalls(scope: FastifyInstance, audit: Audit): void {
  scope.decorateRequest('recording', null);
  const recordingOf = (request: FastifyRequest): Recording | null => {
    const { caller } = request;
    if (!caller || !isManagement(request, caller)) return null;
    request.recording ??= audit.begin(callOf(request, caller), successOf(request));
    return request.recording;
  };
  scope.addHook('preHandler', (request, _reply, done) => {
    const recording = recordingOf(request);
    // The handler runs inside, with all that it starts.
    if (recording) recording.during(done);
    else done();
  });
  scope.addHook('onSend', (request, { statusCode }, payload, done) => {
    const recording = recordingOf(request);
    if (!recording || changesItself(request)) return done(null, payload);
    const message = statusCode >= 400 && typeof payload === 'string' ? messageIn(payload) : null;
    recording.end(statusCode, message).then(() => done(null, payload), done);
  });
}

const isManagement = (request: FastifyRequest, caller: Caller): boolean =>
  caller.kind === 'operator' || request.routeOptions.config.callers === 'operator' || changesItself(request);

const changesItself = (request: FastifyRequest): boolean =>
  request.routeOptions.config.changesItself ?? false;

function callOf(request: FastifyRequest, caller: Caller): Parameters<Audit['begin']>[0] {
  const url = request.routeOptions.url ?? '';
  const params = (request.params ?? {}) as Record<string, string>;
  return {
    ...actorOf(caller),
    action: String(schemaOf(request).operationId ?? url),
    resource: url.split('/')[2] ?? null,
    resourceId: idIn(params.id ?? params.sessionId)?.toLowerCase() ?? null,
    method: request.method,
    path: url.replaceAll(/:(\w+)/g, (parameter, name) => idIn(params[name]) ?? parameter),
    address: request.ip ?? null,
    requestId: String(request.id),
  };
}

/** The id in a text that stands in place of one; any other text is not kept: it may be a key that somebody pasted there. */
const idIn = (text: string | undefined): string | null =>
  text !== undefined && uuid.test(text) ? text : null;

function actorOf(caller: Caller) {
  if (caller.kind === 'integration') {
    const { id, name } = caller.integration;
    return { actorKind: 'integration', actorId: id, actorName: name, keyId: null } as const;
  }
  const { keyId, operator } = caller;
  return { actorKind: 'operator', actorId: operator.id, actorName: operator.name, keyId } as const;
}

interface Described {
  operationId?: string;
  response?: Record<string, unknown>;
}
const schemaOf = (request: FastifyRequest): Described => (request.routeOptions.schema ?? {}) as Described;

const successOf = (request: FastifyRequest): number =>
  Number(Object.keys(schemaOf(request).response ?? {}).find((status) => status.startsWith('2')) ?? 200);

/** Errors never repeat content, so that their messages may be kept. */
function messageIn(body: string): string | null {
  const { errors = [] } = JSON.parse(body) as { errors?: { message: string }[] };
  return (
    errors
      .map(({ message }) => message)
      .join('; ')
      .slice(0, longestReason) || null
  );
}
