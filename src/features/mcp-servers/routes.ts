import { Type } from '@sinclair/typebox';
import { operatorsWith } from '../../http/plugins/authenticate.ts';
import { envelope, pageEnvelope, withPage } from '../../http/responses.ts';

import type { Scope } from '../../http/scope.ts';
import { errorResponses, listOf, responseOf } from '../../schemas/envelopes.ts';
import { pageQuery, Uuid } from '../../schemas/values.ts';
import { ChangeMcpServer, CreateMcpServer, McpServer } from './schema.ts';
import type { McpServers } from './service.ts';

const params = Type.Object({ id: Uuid });
const tags = ['mcp'];
const read = operatorsWith('integrations:read');
const write = operatorsWith('integrations:write');

export function mcpServerRoutes(app: Scope, { mcpServers }: { mcpServers: McpServers }): void {
  app.post(
    '/mcp-servers',
    {
      config: write,
      schema: {
        operationId: 'createMcpServer',
        summary: 'Put the MCP proxy in front of a remote MCP server',
        description:
          'Clients connect to `/v1/mcp-proxy/NAME` with the key of an integration, whose policies decide. See docs/mcp-proxy.md.',
        tags,
        body: CreateMcpServer,
        response: { 201: responseOf(McpServer, 201), ...errorResponses },
      },
    },
    async (request, reply) => reply.code(201).send(envelope(201, await mcpServers.create(request.body))),
  );

  app.get(
    '/mcp-servers',
    {
      config: read,
      schema: {
        operationId: 'listMcpServers',
        summary: 'List the MCP servers behind the proxy, newest first',
        tags,
        querystring: pageQuery({}),
        response: { 200: listOf(McpServer), ...errorResponses },
      },
    },
    async (request) => pageEnvelope(await mcpServers.list(withPage(request.query))),
  );

  app.get(
    '/mcp-servers/:id',
    {
      config: read,
      schema: {
        operationId: 'readMcpServer',
        summary: 'Read an MCP server behind the proxy',
        tags,
        params,
        response: { 200: responseOf(McpServer), ...errorResponses },
      },
    },
    async (request) => envelope(200, await mcpServers.read(request.params.id)),
  );

  app.patch(
    '/mcp-servers/:id',
    {
      config: write,
      schema: {
        operationId: 'changeMcpServer',
        summary: 'Change an MCP server behind the proxy, from the next message on',
        description: 'Fields that are left out keep their values. The name cannot be changed.',
        tags,
        params,
        body: ChangeMcpServer,
        response: { 200: responseOf(McpServer), ...errorResponses },
      },
    },
    async (request) => envelope(200, await mcpServers.change(request.params.id, request.body)),
  );

  app.delete(
    '/mcp-servers/:id',
    {
      config: write,
      schema: {
        operationId: 'deleteMcpServer',
        summary: 'Take the MCP proxy away from a server',
        tags,
        params,
        response: { 200: responseOf(McpServer), ...errorResponses },
      },
    },
    async (request) => envelope(200, await mcpServers.delete(request.params.id)),
  );
}
