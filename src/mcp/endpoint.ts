import type { IncomingHttpHeaders } from 'node:http';
import {
  createMcpHandler,
  isInitializeRequest,
  type McpHttpHandler,
  type McpRequestContext,
} from '@modelcontextprotocol/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';
import { assertScope } from '../features/integrations/service.ts';
import { identityTokenOf, sentKey, traceParentOf } from '../http/headers.ts';
import { createOpenStreams, goneSignal } from '../http/open-streams.ts';
import { integrationCallerOf } from '../http/plugins/authenticate.ts';
import type { IntegrationCaller } from '../services/access/authentication.ts';
import type { Services } from '../services/services.ts';
import { type Message, readMessage } from './message.ts';
import { plainCall } from './plain-call.ts';
import { type Check, type Compile, createServers, type PendingCall, type Servers } from './server.ts';
import { connectionName, identityTokenIn, isUuid, sessionIdIn, sessionNameOf } from './session-names.ts';
import { awaitReview } from './tools.ts';

export type McpServices = Pick<
  Services,
  'authentication' | 'evaluations' | 'sessions' | 'reviews' | 'identities' | 'now'
>;

/** Both protocol eras. Nothing is kept in memory, so any process can serve any request. */
export interface Endpoint {
  /** Returns one message. */
  receive(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
  /** Ends the session of the connection that the request names. Throws for one that is not live. */
  closeConnection(integrationId: string, id: string | string[]): Promise<void>;
  /** Ends every open stream. */
  close(): Promise<void>;
}

export function createEndpoint(scope: FastifyInstance, services: McpServices, version: string): Endpoint {
  const { authentication, sessions, identities, now } = services;
  const servers = createServers(services, version, compilerOf(scope));
  const handlers = createSdkHandlers(servers);
  const streams = createOpenStreams((error) =>
    scope.log.error({ err: error }, 'a key could not be looked up'),
  );

  async function pendingCall(request: FastifyRequest, message: Message): Promise<PendingCall> {
    const caller = integrationCallerOf(request);
    const { integration } = caller;
    const sessionId = await connectionSession(integration.id, request.headers, message, sessions);
    const identityToken = identityTokenIn(message.meta, identityTokenOf(request));
    const proven = await identities.verify(integration.settings.identity, identityToken, now());
    const name = sessionNameOf(integration.settings.sessionScope, message.meta, {
      address: request.ip,
      entityId: proven && 'entityId' in proven ? proven.entityId : null,
    });
    return {
      caller,
      argumentsText: message.argumentsText,
      trace: traceParentOf(request.headers),
      identityToken,
      ...sessionOf(message, sessionId, name),
      onError: (error) => request.log.error({ err: error }, 'tool failed'),
    };
  }

  function watchKey(request: FastifyRequest, reply: FastifyReply): void {
    const key = sentKey(request);
    const isValid = async () => key !== null && (await authentication.identify(key, request.ip)) !== null;
    streams.watch(reply.raw, isValid, () => reply.raw.destroy());
  }

  return {
    async receive(request, reply) {
      const message = readMessage(request.body, request.bodyText);
      if (onlyWaits(message)) scope.startWaiting(request, reply);
      const pending = await pendingCall(request, message);
      // Since 2026-07-28 closing the stream cancels the call; before, a client may close it and continue.
      const signal = message.modern ? goneSignal(reply.raw) : null;
      const plain = signal && plainCall(request.headers, message);
      const text = plain && (await servers.runPlain(plain, pending, signal));
      if (text !== null) return reply.type('application/json; charset=utf-8').send(text);
      const response = await handlers.fetch(request, message.body, pending, signal);
      const opened = response.ok
        ? await openConnection(pending.caller, message, sessions, pending.identityToken)
        : null;
      if (opened !== null) reply.header(connectionHeader, opened);
      if (response.headers.get('content-type') === 'text/event-stream') {
        watchKey(request, reply);
        return reply.send(response);
      }
      return reply
        .code(response.status)
        .headers(Object.fromEntries(response.headers))
        .send(await response.text());
    },
    closeConnection: (integrationId, id) => closeConnection(integrationId, id, sessions),
    close: () => handlers.close(),
  };
}

function compilerOf({ validatorCompiler: compiler }: FastifyInstance): Compile {
  if (!compiler) throw new Error('the MCP routes must be registered after the validator');
  return (schema) => {
    const check: unknown = compiler({ schema, method: 'POST', url: '/mcp', httpPart: 'body' });
    return check as Check;
  };
}

function sessionOf({ meta, refusal }: Message, connection: string | null, sessionName: string) {
  try {
    return { sessionName, sessionId: sessionIdIn(meta) ?? connection, refusal };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { sessionName, sessionId: null, refusal: error };
  }
}

/** A stream of notifications and a wait for a human may last; neither counts as a request in flight. */
const onlyWaits = ({ method, body }: Message): boolean =>
  method === 'subscriptions/listen' ||
  (method === 'tools/call' && (body.params as { name?: unknown } | undefined)?.name === awaitReview.name);

// The older revisions have connections: the client of one sends an id that it got from its first request.

const connectionHeader = 'mcp-session-id';

type Sessions = Services['sessions'];

/** Opens the session of a connection where each has its own. Returns its id, which every later request sends. */
async function openConnection(
  { integration, key }: IntegrationCaller,
  { modern, body }: Message,
  sessions: Sessions,
  identityToken: string | null,
): Promise<string | null> {
  const { settings } = integration;
  if (modern || settings.sessionScope !== 'connection' || !isInitializeRequest(body)) return null;
  assertScope(key.scopes, 'sessions:open');
  const externalSessionId = connectionName(body.params.clientInfo.name);
  const { data } = await sessions.create(integration, { externalSessionId }, null, null, {
    endsWhenIdle: true,
    identityToken,
  });
  return data.id;
}

/** The session in the header of a request of the older revisions; null when there is none. Throws for one that is not live. */
async function connectionSession(
  integrationId: string,
  headers: IncomingHttpHeaders,
  { modern, body }: Message,
  sessions: Sessions,
): Promise<string | null> {
  if (modern) return null;
  const id = headers[connectionHeader];
  if (id === undefined || isInitializeRequest(body)) return null;
  // 404 makes a client connect again. The response is the same for another's session, an ended one and an unknown one.
  if (!isUuid(id) || !(await sessions.isActive(integrationId, id))) throw noSession();
  return id.toLowerCase();
}

/** Ends the session of a connection that its client closes. Throws for one that is not live. */
async function closeConnection(
  integrationId: string,
  id: string | string[],
  sessions: Sessions,
): Promise<void> {
  if (!isUuid(id)) throw noSession();
  await sessions.end(integrationId, id, 'COMPLETED', null).catch((error: unknown) => {
    // The protocol has one response for an ended session and an unknown one.
    throw error instanceof AppError && error.code === 'conflict' ? noSession() : error;
  });
}

const noSession = (): AppError => new AppError('not_found', 'session not found');

/** The SDK requires a URL but does not use it. */
const anyUrl = 'http://mcp.invalid/';

export interface SdkHandlers {
  /** Hands the message to the SDK. An aborted signal cancels the call. */
  fetch(
    request: FastifyRequest,
    body: Record<string, unknown>,
    pending: PendingCall,
    signal: AbortSignal | null,
  ): Promise<Response>;
  /** Ends every open stream. */
  close(): Promise<void>;
}

/** One handler per integration, because a notification reaches all streams of a handler. */
function createSdkHandlers({ serverOf }: Servers): SdkHandlers {
  const handlers = new Map<string, McpHttpHandler>();
  const factory = ({ authInfo }: McpRequestContext) => serverOf(authInfo?.extra?.pending as PendingCall);

  function handlerOf(integrationId: string): McpHttpHandler {
    let handler = handlers.get(integrationId);
    if (!handler) {
      handler = createMcpHandler(factory);
      handlers.set(integrationId, handler);
    }
    return handler;
  }

  return {
    fetch(request, body, pending, signal) {
      const { id } = pending.caller.integration;
      return handlerOf(id).fetch(webRequest(request, signal), {
        parsedBody: body,
        authInfo: { token: '', clientId: id, scopes: [], extra: { pending } },
      });
    },
    async close() {
      await Promise.all([...handlers.values()].map((handler) => handler.close()));
    },
  };
}

/** Contains only the headers that the SDK reads, so that the key cannot leak from there. */
function webRequest({ headers }: FastifyRequest, signal: AbortSignal | null): Request {
  const kept = Object.entries(headers).filter(
    ([name]) => name === 'content-type' || name === 'accept' || name.startsWith('mcp-'),
  ) as [string, string][];
  const request = new Request(anyUrl, { method: 'POST', headers: kept });
  // The constructor would create a second signal that follows this one, with a listener and a finalizer for each stream.
  return signal === null ? request : Object.defineProperty(request, 'signal', { value: signal });
}
