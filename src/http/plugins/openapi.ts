import swagger from '@fastify/swagger';
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ErrorResponse } from '../../schemas/envelopes.ts';
import { addExamples } from '../openapi/examples.ts';
import { namedSchemas, nameSchemas } from '../openapi/name-schemas.ts';
import type { Callers } from './authenticate.ts';
import { noBody } from './schema-compilers.ts';

/** Must be registered before every route it describes. */
export async function describeRoutes(app: FastifyInstance, version: string): Promise<void> {
  app.addSchema(ErrorResponse);
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Assize',
        version,
        description: 'Session-aware policy evaluation for AI agents.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/', description: 'this installation' }],
      components: {
        securitySchemes: {
          integrationKey: {
            type: 'http',
            scheme: 'bearer',
            description: 'the key of an integration: asz_live_…',
          },
          operatorKey: { type: 'http', scheme: 'bearer', description: 'the key of an operator: asz_admin_…' },
        },
      },
    },
    refResolver: {
      buildLocalReference: (json, _base, _fragment, place) => String(json.$id ?? `schema-${place}`),
    },
    transformObject(described) {
      const description = 'openapiObject' in described ? described.openapiObject : {};
      Object.values(description.paths ?? {}).forEach(markOptionalBodies);
      const named = nameSchemas(description.paths ?? {}, namedSchemas);
      const schemas = { ...description.components?.schemas, ...named.schemas };
      addExamples(named.paths, schemas);
      return Object.assign(description, {
        paths: named.paths,
        components: { ...description.components, schemas },
      });
    },
    transform({ schema, url, route }) {
      const { body, ...described } = schema ?? {};
      const sent = body !== undefined && body !== noBody && { body };
      const needs = needsOf(route.config, described.description);
      return {
        schema: { ...described, ...sent, ...needs, security: securityOf(route.config?.callers) },
        url,
      };
    },
  });
  serveApiPage(app);
  app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger());
}

/** Says in words and for programs which permission an operator needs, and which scope the key of an integration. */
function needsOf({ permission, scope }: FastifyContextConfig = {}, description?: string) {
  const words = [
    description,
    permission && `An operator needs the permission \`${permission}\`.`,
    scope && `The key of an integration needs the scope \`${scope}\`.`,
  ];
  return {
    ...(words.some(Boolean) && { description: words.filter(Boolean).join(' ') }),
    ...(permission && { 'x-permission': permission }),
    ...(scope && { 'x-scope': scope }),
  };
}

/** A body that may be left out is validated as null; its description says so in OpenAPI's own way. */
function markOptionalBodies(path: object | undefined): void {
  for (const { requestBody } of Object.values(path ?? {}) as { requestBody?: RequestBody }[]) {
    const schema = requestBody?.content['application/json']?.schema;
    if (!requestBody || !Array.isArray(schema?.type)) continue;
    requestBody.required = false;
    schema.type = 'object';
  }
}

interface RequestBody {
  required?: boolean;
  content: Record<string, { schema?: { type?: string | string[] } }>;
}

function securityOf(callers: Callers | undefined): Record<string, string[]>[] {
  switch (callers) {
    case 'operator':
      return [{ operatorKey: [] }];
    case 'integration':
    case 'mcp':
      return [{ integrationKey: [] }];
    case 'any':
      return [{ integrationKey: [] }, { operatorKey: [] }];
    case undefined:
      return [];
  }
}

/** Headers of the connection, in the response to a request that came over none. */
const ofTheConnection = new Set(['connection', 'keep-alive', 'date', 'transfer-encoding']);

/**
 * The page that describes the routes, at /docs. It is an app of its own that is made when somebody first looks: its
 * packages would take a tenth of every start, and most never serve it.
 */
function serveApiPage(app: FastifyInstance): void {
  let page: Promise<FastifyInstance> | null = null;

  async function open(): Promise<FastifyInstance> {
    const { createApiPage } = await import('./api-page-app.ts');
    return createApiPage(app.swagger());
  }
  async function serve({ url, headers }: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    page ??= open().catch((error: unknown) => {
      page = null;
      throw error;
    });
    const found = await (await page).inject({ url, headers });
    if (found.statusCode === 404) {
      reply.callNotFound();
      return reply;
    }
    const sent = Object.entries(found.headers).filter(([name]) => !ofTheConnection.has(name));
    return reply.code(found.statusCode).headers(Object.fromEntries(sent)).send(found.rawPayload);
  }
  for (const url of ['/docs', '/docs/*']) app.get(url, { schema: { hide: true } }, serve);
}
