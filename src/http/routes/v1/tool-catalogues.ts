import { Type } from '@sinclair/typebox';
import { errorResponses, responseOf } from '../../../schemas/envelopes.ts';
import { ImportTools, PutToolCatalogue, ToolCatalogue } from '../../../schemas/tool-catalogues.ts';
import { Uuid } from '../../../schemas/values.ts';
import type { ToolCatalogues } from '../../../services/tool-catalogues.ts';
import { operatorsWith } from '../../plugins/authenticate.ts';
import { envelope } from '../../responses.ts';
import type { Scope } from '../../scope.ts';

const params = Type.Object({ id: Uuid });
const tags = ['integrations'];
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
        response,
      },
    },
    async (request) => envelope(200, await toolCatalogues.read(request.params.id)),
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
    async (request) => envelope(200, await toolCatalogues.put(request.params.id, request.body)),
  );

  app.post(
    '/integrations/:id/tools/import',
    {
      config: operatorsWith('bindings:write'),
      schema: {
        operationId: 'importTools',
        summary: 'Add the tools that an MCP server lists',
        description:
          'Takes the result of `tools/list`. Replaces the descriptions and schemas of tools that are already in the catalogue. The effect of a new tool comes from its annotations, which are unverified claims of its server: check them. Missing annotations get the defaults of MCP, which assume the worst.',
        tags,
        params,
        body: ImportTools,
        response,
      },
    },
    async (request) => envelope(200, await toolCatalogues.import(request.params.id, request.body)),
  );
}
