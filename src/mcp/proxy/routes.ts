import { isUtf8 } from 'node:buffer';
import { Type } from '@sinclair/typebox';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../errors.ts';
import { inTurn } from '../../http/plugins/json-body.ts';
import { sendRpcError } from '../errors.ts';
import { isOwnOrigin } from '../routes.ts';
import type { ProxyEndpoint, ProxyServices } from './endpoint.ts';
import type { ProxiedOauth } from './oauth.ts';

/** `changesItself`: lists of tools may change the catalogue. */
const config = {
  callers: 'integration',
  scope: 'evaluate',
  takesKeyHeader: true,
  changesItself: true,
} as const;

const description = {
  operationId: 'mcpProxy',
  summary: 'A remote MCP server behind the MCP proxy',
  description:
    'Model Context Protocol over Streamable HTTP. Every message is evaluated by the policies of the calling integration. GET and DELETE are those of the protocol. The key is in `Authorization`, or in `x-assize-key` where `Authorization` belongs to the server. See docs/mcp-proxy.md.',
  tags: ['mcp'],
  params: Type.Object({ name: Type.String() }),
  // Read by the proxy, which refuses a malformed message with the protocol's own errors.
  body: Type.Unknown({ description: 'a JSON-RPC 2.0 message' }),
  response: {
    200: Type.Unknown({ description: 'a JSON-RPC 2.0 response, or a stream of events' }),
    '4xx': Type.Unknown({ description: 'a JSON-RPC 2.0 error' }),
  },
};

interface ProxyOptions {
  callbackAllow: readonly string[];
  oauth: ProxiedOauth;
}

/** The proxy in front of remote MCP servers. It is loaded by the first request. */
export function mcpProxyRoutes(scope: FastifyInstance, services: ProxyServices, options: ProxyOptions): void {
  let loaded: Promise<ProxyEndpoint> | null = null;
  const endpoint = (): Promise<ProxyEndpoint> => {
    loaded ??= load();
    return loaded;
  };
  async function load(): Promise<ProxyEndpoint> {
    const { createProxyEndpoint } = await import('./endpoint.ts');
    return createProxyEndpoint(scope, services, options);
  }
  scope.addHook('preClose', async () => (await loaded)?.close());

  scope.removeContentTypeParser('application/json');
  const parse = inTurn(scope, (request, body) => {
    if (!isUtf8(body)) throw new AppError('invalid', 'the body must be UTF-8');
    request.bodyText = body.toString();
    return null;
  });
  scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, parse);
  scope.setErrorHandler(sendRpcError);
  scope.addHook('onRequest', async ({ headers }) => {
    if (!isOwnOrigin(headers.origin, headers.host))
      throw new AppError('forbidden', 'requests from this origin are not accepted');
  });

  const hidden = { config, schema: { hide: true } };
  scope.post('/mcp-proxy/:name', { config, schema: description }, async (request, reply) =>
    (await endpoint()).post(request, reply),
  );
  scope.get('/mcp-proxy/:name', hidden, async (request, reply) => (await endpoint()).get(request, reply));
  scope.delete('/mcp-proxy/:name', hidden, async (request, reply) =>
    (await endpoint()).delete(request, reply),
  );
}

/** The metadata by which a client finds the authorization server of a server (RFC 9728). A client that has no token yet asks for it. */
export function proxiedOauthRoutes(app: FastifyInstance, oauth: ProxiedOauth): void {
  app.get(
    '/.well-known/oauth-protected-resource/v1/mcp-proxy/:name',
    { schema: { hide: true } },
    async (request, reply) => {
      await app.limitAddress(request, reply);
      const { name } = request.params as { name: string };
      const document = await oauth.metadata(request, name);
      if (document === null) throw new AppError('not_found', 'there is no such metadata');
      return reply.header('cache-control', 'no-store').send(document);
    },
  );
}
