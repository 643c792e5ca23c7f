import {
  createMcpHandler,
  isInitializeRequest,
  type McpHttpHandler,
  type McpRequestContext,
} from '@modelcontextprotocol/server';
import { Type } from '@sinclair/typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';
import { integrationOf, keyOf } from '../http/plugins/authenticate.ts';
import type { Services } from '../services/services.ts';
import { answerRpcError } from './errors.ts';
import { type Message, readMessage, readRpcBodies } from './message.ts';
import { createOpenStreams } from './open-streams.ts';
import { isOwnOrigin } from './origin.ts';
import { plainCall } from './plain-call.ts';
import { type Check, type Compile, createServers, type PendingCall, type Servers } from './server.ts';
import { connectionName, isUuid, sessionIdIn, sessionNameOf } from './session-names.ts';
import { awaitReview } from './tools/reviews.ts';

const config = { callers: 'mcp' } as const;
const sessionHeader = 'mcp-session-id';
/** The SDK requires a URL but does not use it. */
const anyUrl = 'http://mcp.invalid/';

type Mcp = Pick<Services, 'authentication' | 'evaluations' | 'sessions' | 'reviews'>;

/** Both protocol eras on one route. Nothing is kept in memory, so any process can serve any request. */
export function mcpRoutes(scope: FastifyInstance, services: Mcp, version: string): void {
  readRpcBodies(scope);
  scope.setErrorHandler(answerRpcError);
  scope.addHook('onRequest', async ({ headers }) => {
    if (!isOwnOrigin(headers.origin, headers.host))
      throw new AppError('forbidden', 'requests from this origin are not accepted');
  });

  const servers = createServers(services, version, compilerOf(scope));
  const handlers = createHandlers(scope, servers);
  const streams = createOpenStreams((error) =>
    scope.log.error({ err: error }, 'a key could not be looked up'),
  );

  scope.post(
    '/mcp',
    {
      config,
      schema: {
        operationId: 'mcp',
        summary: 'The MCP server of an MCP_SERVER integration',
        description:
          'Model Context Protocol over Streamable HTTP, revisions 2025-03-26 to 2026-07-28. See docs/mcp.md.',
        tags: ['mcp'],
        // Validated by the SDK, which refuses a malformed message with the protocol's own errors.
        body: Type.Unknown({ description: 'a JSON-RPC 2.0 message' }),
        response: {
          200: Type.Unknown({ description: 'a JSON-RPC 2.0 response' }),
          '4xx': Type.Unknown({ description: 'a JSON-RPC 2.0 error' }),
        },
      },
    },
    async (request, reply) => {
      const integration = integrationOf(request);
      const message = readMessage(request.body, request.bodyText);
      if (onlyWaits(message)) scope.startWaiting(request, reply);
      const sessionId = await connectionSession(request, message, services);
      const pending: PendingCall = {
        integration,
        argumentsText: message.argumentsText,
        ...sessionOf(
          message,
          sessionId,
          sessionNameOf(integration.settings.sessionScope, message.meta, request.ip),
        ),
        onError: (error) => request.log.error({ err: error }, 'tool failed'),
      };
      // Since 2026-07-28 closing the stream cancels the call; before, a client may close it and continue.
      const signal = message.modern ? goneSignal(reply) : null;
      const plain = signal && plainCall(request.headers, message);
      const answer = plain && (await servers.answerPlain(plain, pending, signal));
      if (answer !== null) return reply.type('application/json; charset=utf-8').send(answer);
      const response = await handlers.of(integration.id).fetch(webRequest(request, signal), {
        parsedBody: message.body,
        authInfo: { token: '', clientId: integration.id, scopes: [], extra: { pending } },
      });
      const opened = response.ok ? await openConnection(integration, message, services) : null;
      if (opened !== null) reply.header(sessionHeader, opened);
      if (response.headers.get('content-type') === 'text/event-stream') {
        watchKey(request, reply);
        return reply.send(response);
      }
      return reply
        .code(response.status)
        .headers(Object.fromEntries(response.headers))
        .send(await response.text());
    },
  );

  scope.get(
    '/mcp',
    { config: { ...config, refusesMethod: true }, schema: { hide: true } },
    async (_request, reply) => notAllowed(reply),
  );

  scope.delete('/mcp', { config, schema: { hide: true } }, async (request, reply) => {
    const id = request.headers[sessionHeader];
    const integration = integrationOf(request);
    // A shared session outlives a connection: a client that connects for every call would lose its history.
    if (id === undefined || integration.settings.sessionScope !== 'connection') return notAllowed(reply);
    if (!isUuid(id)) throw noSession();
    await services.sessions.end(integration.id, id, 'COMPLETED', null).catch((error: unknown) => {
      // The protocol has one response for an ended session and an unknown one.
      throw error instanceof AppError && error.code === 'conflict' ? noSession() : error;
    });
    return reply.code(204).send();
  });

  function watchKey(request: FastifyRequest, reply: FastifyReply): void {
    const key = keyOf(request) ?? '';
    streams.watch(reply.raw, async () => (await services.authentication.identify(key)) !== null);
  }
}

function compilerOf({ validatorCompiler: compiler }: FastifyInstance): Compile {
  if (!compiler) throw new Error('the MCP routes must be registered after the validator');
  return (schema) => {
    const check: unknown = compiler({ schema, method: 'POST', url: '/mcp', httpPart: 'body' });
    return check as Check;
  };
}

/** One handler per integration, because a notification reaches all streams of a handler. */
function createHandlers(scope: FastifyInstance, { serverOf }: Servers) {
  const handlers = new Map<string, McpHttpHandler>();
  const factory = ({ authInfo }: McpRequestContext) => serverOf(authInfo?.extra?.pending as PendingCall);
  scope.addHook('preClose', async () => {
    await Promise.all([...handlers.values()].map((handler) => handler.close()));
  });
  return {
    of(integrationId: string): McpHttpHandler {
      let handler = handlers.get(integrationId);
      if (!handler) {
        handler = createMcpHandler(factory);
        handlers.set(integrationId, handler);
      }
      return handler;
    },
  };
}

/** Opens the session of a connection where each has its own. Returns its id, which every later request sends. */
async function openConnection(
  { id, settings }: ReturnType<typeof integrationOf>,
  { modern, body }: Message,
  { sessions }: Mcp,
): Promise<string | null> {
  if (modern || settings.sessionScope !== 'connection' || !isInitializeRequest(body)) return null;
  const externalSessionId = connectionName(body.params.clientInfo.name);
  const { text } = await sessions.create(id, { externalSessionId }, null, null);
  return (JSON.parse(text) as { id: string }).id;
}

/** The session in the header of a request of the older revisions; null when there is none. Throws for one that is not live. */
async function connectionSession(
  request: FastifyRequest,
  { modern, body }: Message,
  { sessions }: Mcp,
): Promise<string | null> {
  if (modern) return null;
  const integrationId = integrationOf(request).id;
  const id = request.headers[sessionHeader];
  if (id === undefined || isInitializeRequest(body)) return null;
  // 404 makes a client connect again. The response is the same for another's session, an ended one and an unknown one.
  if (!isUuid(id) || !(await sessions.isActive(integrationId, id))) throw noSession();
  return id.toLowerCase();
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

const noSession = (): AppError => new AppError('not_found', 'session not found');

/** Contains only the headers that the SDK reads, so that the key cannot leak from there. */
function webRequest({ headers }: FastifyRequest, signal: AbortSignal | null): Request {
  const kept = Object.entries(headers).filter(
    ([name]) => name === 'content-type' || name === 'accept' || name.startsWith('mcp-'),
  ) as [string, string][];
  const request = new Request(anyUrl, { method: 'POST', headers: kept });
  // The constructor would create a second signal that follows this one, with a listener and a finalizer for each stream.
  return signal === null ? request : Object.defineProperty(request, 'signal', { value: signal });
}

function goneSignal({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort();
  });
  return gone.signal;
}

function notAllowed(reply: FastifyReply): FastifyReply {
  return reply
    .code(405)
    .header('allow', 'POST')
    .send({ jsonrpc: '2.0', id: null, error: { code: -32_000, message: 'method not allowed' } });
}
