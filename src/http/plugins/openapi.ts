import swagger from '@fastify/swagger';
import { Kind, type TSchema } from '@sinclair/typebox';
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as audit from '../../features/audit/schema.ts';
import * as entities from '../../features/entities/schema.ts';
import * as events from '../../features/events/schema.ts';
import * as integrations from '../../features/integrations/schema.ts';
import * as lists from '../../features/lists/schema.ts';
import * as mcpServers from '../../features/mcp-servers/schema.ts';
import * as operators from '../../features/operators/schema.ts';
import * as policies from '../../features/policies/schema.ts';
import * as proposals from '../../features/proposals/schema.ts';
import * as reviews from '../../features/reviews/schema.ts';
import * as sessions from '../../features/sessions/schema.ts';
import * as stats from '../../features/stats/schema.ts';
import * as tools from '../../features/tools/schema.ts';
import * as violations from '../../features/violations/schema.ts';
import * as webhooks from '../../features/webhooks/schema.ts';
import * as decisions from '../../schemas/decisions.ts';
import * as envelopes from '../../schemas/envelopes.ts';
import { ErrorResponse } from '../../schemas/envelopes.ts';
import * as evaluations from '../../schemas/evaluations.ts';
import * as explanations from '../../schemas/explanations.ts';
import * as record from '../../schemas/record.ts';
import { SimulationRequest } from '../../schemas/replays.ts';
import { addExamples } from '../openapi/examples.ts';
import * as health from '../routes/health.ts';
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

type Json = unknown;

/**
 * Returns the same number for schemas that say the same: keys in any order, one value as `const` or `enum`, TypeBox's form of
 * records. A part is numbered once, by the numbers of its own parts.
 */
function createNumbering(): (value: Json) => number {
  const numbers = new Map<string, number>();
  const known = new WeakMap<object, number>();
  function numberOf(value: Json): number {
    const isPart = typeof value === 'object' && value !== null;
    const before = isPart ? known.get(value) : undefined;
    if (before !== undefined) return before;
    const text = isPart ? partsOf(value) : JSON.stringify(value);
    const number = numbers.get(text) ?? numbers.size;
    numbers.set(text, number);
    if (isPart) known.set(value, number);
    return number;
  }
  function partsOf(value: object): string {
    if (Array.isArray(value)) return `[${value.map(numberOf)}]`;
    const { $id: _, const: only, patternProperties: anyKey, ...rest } = value as Record<string, Json>;
    const parts = {
      ...rest,
      ...(only !== undefined && { enum: [only] }),
      // A record of TypeBox: its one pattern takes every key.
      ...(anyKey !== undefined && { additionalProperties: Object.values(anyKey as object)[0] as Json }),
    };
    const numbered = Object.entries(parts).filter(([, part]) => part !== undefined);
    return `{${numbered.map(([key, part]) => `${JSON.stringify(key)}:${numberOf(part)}`).sort()}}`;
  }
  return numberOf;
}

/**
 * Replaces every schema in an OpenAPI description that equals a named one by a reference to it, and returns the
 * components to add. Schemas are recognised by what they say, because the description has copies of them.
 */
function nameSchemas(
  paths: object,
  named: Readonly<Record<string, TSchema>>,
): { paths: object; schemas: Record<string, object> } {
  const numberOf = createNumbering();
  const names = new Map(Object.entries(named).map(([name, schema]) => [numberOf(schema), name]));
  const schemas: Record<string, object> = {};

  function refer(value: Json): Json {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(refer);
    const name = names.get(numberOf(value));
    if (name === undefined) return referInside(value);
    if (!(name in schemas)) {
      schemas[name] = {};
      schemas[name] = referInside(plain(value));
    }
    return { $ref: `#/components/schemas/${name}` };
  }
  const referInside = (value: object): object =>
    Object.fromEntries(Object.entries(value).map(([key, part]) => [key, refer(part)]));

  return { paths: nameEnvelopes(referInside(paths), schemas), schemas };
}

/** The schema without its `$id`, which would give it a second name. */
function plain(schema: object): object {
  const { $id: _, ...rest } = schema as { $id?: string };
  return rest;
}

interface Envelope {
  properties?: {
    success?: unknown;
    statusCode?: { enum?: number[]; const?: number };
    data?: { $ref?: string; items?: { $ref?: string } };
  };
}

/** Names the envelope around each named schema: ReviewResponse, ReviewListResponse, IntegrationCreatedResponse. */
function nameEnvelopes(paths: object, schemas: Record<string, object>): object {
  return JSON.parse(JSON.stringify(paths), (_key, part: Json) => {
    const { success, statusCode, data } = (part as Envelope | null)?.properties ?? {};
    const inside = (data?.$ref ?? data?.items?.$ref)?.split('/').at(-1);
    if (success === undefined || inside === undefined) return part;
    const created = (statusCode?.const ?? statusCode?.enum?.[0]) === 201 && !inside.startsWith('Created');
    const name = `${inside}${created ? 'Created' : ''}${data?.items ? 'List' : ''}Response`;
    schemas[name] = part as object;
    return { $ref: `#/components/schemas/${name}` };
  });
}

const { Binding: PolicyBinding, ...otherPolicies } = policies;
const modules = [
  audit,
  entities,
  events,
  integrations,
  lists,
  mcpServers,
  operators,
  proposals,
  reviews,
  sessions,
  tools,
  webhooks,
  decisions,
  envelopes,
  evaluations,
  explanations,
  health,
  otherPolicies,
  record,
  stats,
  violations,
  { PolicyBinding, SimulationRequest },
];

/** Written out where they are used: their name says no more than that of the field. */
const unnamed = new Set(['EventSequence', 'GroupName', 'OnChange', 'Phase', 'ResultStatus']);

/** The components of the OpenAPI description: each schema by the name that it is exported under. */
export const namedSchemas: Readonly<Record<string, TSchema>> = Object.fromEntries(
  modules
    .flatMap((module) => Object.entries(module))
    .filter(([name, value]) => typeof value === 'object' && Kind in value && !unnamed.has(name)),
);
