import { setImmediate } from 'node:timers/promises';
import { Type } from '@sinclair/typebox';
import type { FastifyReply } from 'fastify';
import { IdentityHeader, identityTokenOf } from '../../http/headers.ts';
import { integrationCallerOf, operatorsWith } from '../../http/plugins/authenticate.ts';
import { envelope, sendText } from '../../http/responses.ts';
import type { Scope } from '../../http/scope.ts';
import { stringifyJson } from '../../json/stringify.ts';
import { errorResponses, responseOf } from '../../schemas/envelopes.ts';
import { Uuid } from '../../schemas/values.ts';
import type { ToolFinder } from './allowed.ts';
import {
  AcceptTools,
  AllowedTools,
  AllowedToolsRequest,
  ImportedTools,
  ImportTools,
  PutToolCatalogue,
  ReadToolCatalogue,
  SeenTools,
  SeenToolsRequest,
  ToolCatalogue,
} from './schema.ts';
import type { ToolCatalogues } from './service.ts';

const params = Type.Object({ id: Uuid });
const tags = ['integrations'];
/** Schemas may have big integers. A large catalogue is written in a turn of its own. */
async function send(reply: FastifyReply, catalogue: ToolCatalogue): Promise<FastifyReply> {
  await setImmediate();
  return sendText(reply, 200, stringifyJson(catalogue));
}
const response = { 200: responseOf(ToolCatalogue), ...errorResponses };

export function toolCatalogueRoutes(
  app: Scope,
  { toolCatalogues }: { toolCatalogues: ToolCatalogues },
): void {
  app.get(
    '/integrations/:id/tools',
    {
      config: operatorsWith('bindings:read'),
      schema: {
        operationId: 'readToolCatalogue',
        summary: 'Read the tool catalogue of an integration',
        tags,
        params,
        response: { ...response, 200: responseOf(ReadToolCatalogue) },
      },
    },
    async (request, reply) => send(reply, await toolCatalogues.read(request.params.id)),
  );

  app.put(
    '/integrations/:id/tools',
    {
      config: operatorsWith('bindings:write'),
      schema: {
        operationId: 'replaceToolCatalogue',
        summary: 'Replace the tool catalogue of an integration',
        description: 'Applies from the next evaluation on. Each name and alias must be unique.',
        tags,
        params,
        body: PutToolCatalogue,
        response,
      },
    },
    async (request, reply) => send(reply, await toolCatalogues.put(request.params.id, request.body)),
  );

  app.post(
    '/integrations/:id/tools/import',
    {
      config: operatorsWith('bindings:write'),
      schema: {
        operationId: 'importTools',
        summary: 'Add tools, with a proposal of what each does',
        description:
          'Takes the result of `tools/list` of an MCP server, tools as the APIs of OpenAI and Anthropic take them, or an OpenAPI document. What a new tool does is proposed from its name, description, schema and annotations, with the reasons in `proposed`: its author wrote these, so check them. A proposal decides until an operator saves the tool without `proposed`. A changed description, schema or annotation of a tool that was imported before waits until an operator accepts it, and calls of the tool are held meanwhile, unless `onChange` of the catalogue is ACCEPT. `changes` is the difference, and `refused` names tools that cannot be imported; the others are.',
        tags,
        params,
        body: ImportTools,
        response: { ...response, 200: responseOf(ImportedTools) },
      },
    },
    async (request, reply) => send(reply, await toolCatalogues.import(request.params.id, request.body)),
  );

  app.post(
    '/integrations/:id/tools/accept',
    {
      config: operatorsWith('bindings:write'),
      schema: {
        operationId: 'acceptTools',
        summary: 'Accept the changed definitions of tools',
        description:
          'Takes the changes that wait over into the catalogue and ends the hold of their tools. An effect can become graver by that, never milder. Responds with 409 when a change is no longer the one that `digest` names.',
        tags,
        params,
        body: AcceptTools,
        response,
      },
    },
    async (request, reply) => send(reply, await toolCatalogues.accept(request.params.id, request.body)),
  );
}

export function allowedToolsRoutes(app: Scope, { findAllowed, see }: ToolFinder): void {
  app.post(
    '/tools/allowed',
    {
      config: { callers: 'integration', scope: 'evaluate' },
      schema: {
        operationId: 'findAllowedTools',
        summary: 'Find the tools that a session may call now',
        description:
          'Decides about each tool by the rules that read no more of a call than its tool, the session and the time. A tool that is not allowed is blocked whatever its arguments are; the call of an allowed one is evaluated, and may be blocked for its content. Nothing is recorded, no session is opened and no limit is used.',
        tags: ['evaluate'],
        headers: IdentityHeader,
        body: AllowedToolsRequest,
        response: { 200: responseOf(AllowedTools), ...errorResponses },
      },
    },
    async (request) => {
      const caller = integrationCallerOf(request);
      const found = await findAllowed(caller, request.body, identityTokenOf(request));
      return envelope(200, found);
    },
  );

  app.post(
    '/tools/seen',
    {
      config: { callers: 'integration', scope: 'evaluate', changesItself: true },
      schema: {
        operationId: 'seeTools',
        summary: 'Tell which tools an MCP server lists',
        description:
          'The MCP proxy calls it with each response to `tools/list`. The first definition of each tool is kept. A changed one waits until an operator accepts it, and calls of the tool are held or blocked meanwhile, as `onChange` of the tool catalogue says; so are those of a tool that a server adds more than ten minutes after it was first seen. Responds as `POST /v1/tools/allowed` does. Neither describes a tool for rules: the catalogue does.',
        tags: ['evaluate'],
        headers: IdentityHeader,
        body: SeenToolsRequest,
        response: { 200: responseOf(SeenTools), ...errorResponses },
      },
    },
    async (request) => {
      const caller = integrationCallerOf(request);
      return envelope(200, await see(caller, request.body, identityTokenOf(request)));
    },
  );
}
