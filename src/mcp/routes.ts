import { isUtf8 } from 'node:buffer';
import { Type } from '@sinclair/typebox';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { AppError } from '../errors.ts';
import { assertScope } from '../features/integrations/service.ts';
import { integrationOf, scopesOf } from '../http/plugins/authenticate.ts';
import { inTurn, readMessage } from '../http/plugins/json-body.ts';
import type { Endpoint, McpServices } from './endpoint.ts';
import { sendRpcError } from './errors.ts';

const config = { callers: 'mcp' } as const;

const description = {
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
};

/** The MCP endpoint. What answers is loaded by the first request: many installations never get one. */
export function mcpRoutes(scope: FastifyInstance, services: McpServices, version: string): void {
  let loaded: Promise<Endpoint> | null = null;
  const endpoint = (): Promise<Endpoint> => {
    loaded ??= load().catch((error: unknown) => {
      loaded = null;
      throw error;
    });
    return loaded;
  };
  async function load(): Promise<Endpoint> {
    const { createEndpoint } = await import('./endpoint.ts');
    return createEndpoint(scope, services, version);
  }
  scope.addHook('preClose', async () => (await loaded)?.close());

  readRpcBodies(scope);
  scope.setErrorHandler(sendRpcError);
  scope.addHook('onRequest', async ({ headers }) => {
    if (!isOwnOrigin(headers.origin, headers.host))
      throw new AppError('forbidden', 'requests from this origin are not accepted');
  });

  scope.post('/mcp', { config, schema: description }, async (request, reply) =>
    (await endpoint()).receive(request, reply),
  );

  scope.get(
    '/mcp',
    { config: { ...config, refusesMethod: true }, schema: { hide: true } },
    async (_request, reply) => notAllowed(reply),
  );

  scope.delete('/mcp', { config, schema: { hide: true } }, async (request, reply) => {
    const connection = request.headers['mcp-session-id'];
    const { id, settings } = integrationOf(request);
    // A shared session outlives a connection: a client that connects for every call would lose its history.
    if (connection === undefined || settings.sessionScope !== 'connection') return notAllowed(reply);
    assertScope(scopesOf(request), 'sessions:end');
    await (await endpoint()).closeConnection(id, connection);
    return reply.code(204).send();
  });
}

function notAllowed(reply: FastifyReply): FastifyReply {
  return reply
    .code(405)
    .header('allow', 'POST')
    .send({ jsonrpc: '2.0', id: null, error: { code: -32_000, message: 'method not allowed' } });
}

/** Only parses bodies: limits on depth and content differ by part. */
export function readRpcBodies(scope: FastifyInstance): void {
  scope.removeContentTypeParser('application/json');
  const parse = inTurn(scope, (request, body) => {
    if (!isUtf8(body)) throw new AppError('invalid', 'the body must be UTF-8');
    request.bodyText = body.toString();
    return readMessage(request.bodyText);
  });
  scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, parse);
}

const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Whether a request with this Origin header is accepted. Agents are not browsers and send none. A web page may have pointed
 * its host name here (DNS rebinding), so the origin must equal this host, and that must be a loopback name.
 */
export function isOwnOrigin(origin: string | undefined, host: string | undefined): boolean {
  if (origin === undefined) return true;
  const url = URL.parse(origin);
  return url !== null && url.host === host && loopback.has(url.hostname);
}
