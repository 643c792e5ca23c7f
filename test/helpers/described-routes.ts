import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import type { TestApp } from './app.ts';

type Schema = Record<string, unknown>;
export interface DescribedRoute {
  operationId: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With parameters as `{name}`. */
  path: string;
  callers: 'operator' | 'integration' | 'any' | 'nobody';
  /** What an operator needs; null for a route that takes none. */
  permission: string | null;
  params: string[];
  query: string[];
  /** True unless the route refuses a request without a body. */
  bodyOptional: boolean;
  /** The JSON body; null when it takes none. */
  body: Schema | null;
  responses: Record<string, Schema>;
}

interface Parameter {
  in: string;
  name: string;
}
interface OpenApiOperation {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
  security?: Record<string, unknown>[];
  'x-permission'?: string;
}

interface OpenApi {
  paths: Record<string, Record<string, OpenApiOperation>>;
  components?: { schemas?: Record<string, Schema> };
}

/** A part of the document with its references to named schemas written out. */
function resolved(part: unknown, named: Record<string, Schema>): unknown {
  if (Array.isArray(part)) return part.map((one) => resolved(one, named));
  if (typeof part !== 'object' || part === null) return part;
  const name = '$ref' in part ? String(part.$ref).replace('#/components/schemas/', '') : null;
  if (name !== null) return resolved(named[name], named);
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, resolved(value, named)]));
}

/** Made once for all apps of a process that have the same routes: schemas depend on no setting. */
function perRoutes<T>(make: (app: TestApp) => T): (app: TestApp) => Promise<T> {
  const known = new Map<string, T>();
  return async (app) => {
    await app.http.ready();
    const routes = app.http.printRoutes();
    const made = known.get(routes) ?? make(app);
    known.set(routes, made);
    return made;
  };
}

/** The routes of the OpenAPI document: what a test derives from it cannot forget one. */
export const describedRoutes = perRoutes(describe);

function describe(app: TestApp): DescribedRoute[] {
  const document = app.http.swagger() as unknown as OpenApi;
  const named = document.components?.schemas ?? {};
  const paths = resolved(document.paths, named) as OpenApi['paths'];
  // MCP has its own words for everything: test/mcp, test/mcp-proxy.
  const rest = Object.entries(paths).filter(
    ([path]) => path !== '/v1/mcp' && !path.startsWith('/v1/mcp-proxy/'),
  );
  return rest.flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): DescribedRoute => {
      const parametersIn = (place: string) =>
        (operation.parameters ?? []).filter((one) => one.in === place).map((one) => one.name);
      const keys = (operation.security ?? []).flatMap((one) => Object.keys(one));
      return {
        operationId: operation.operationId,
        method: method.toUpperCase() as DescribedRoute['method'],
        path,
        callers: keys.length === 2 ? 'any' : keys.length === 0 ? 'nobody' : callersOf(keys[0]),
        permission: operation['x-permission'] ?? null,
        params: parametersIn('path'),
        query: parametersIn('query'),
        bodyOptional: operation.requestBody?.required !== true,
        body: operation.requestBody?.content['application/json']?.schema ?? null,
        responses: Object.fromEntries(
          Object.entries(operation.responses).map(([status, { content }]) => [
            status.toLowerCase(),
            content?.['application/json']?.schema ?? {},
          ]),
        ),
      };
    }),
  );
}

const callersOf = (key = '') => (key === 'operatorKey' ? 'operator' : 'integration');

/** Closes every object that lists its properties: a field that the document does not name is a drift too. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const copy: Schema = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  return copy.type === 'object' && copy.properties ? { additionalProperties: false, ...copy } : copy;
}

/** Says how an answer differs from what the OpenAPI document promises for it; null when it does not. */
export type Conformance = (
  method: string,
  url: string,
  response: { status: number; body: unknown },
) => string | null;

export const openConformance = perRoutes(compileConformance);

function compileConformance(app: TestApp): Conformance {
  const ajv = new Ajv({ strict: false, allErrors: true });
  (addFormats as unknown as (ajv: Ajv) => void)(ajv);
  const routes = describe(app).map((route) => ({
    ...route,
    pattern: new RegExp(`^${route.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    // A path that is written out wins over one with a parameter in its place, as in the router.
    written: route.path.replaceAll(/\{\w+\}/g, '').length,
    compiled: new Map<string, ValidateFunction>(),
  }));
  routes.sort((a, b) => b.written - a.written);
  // What reaches no route is described nowhere; it is answered in the envelope of every refusal.
  const anyRefusal = ajv.compile(closed(routes[0]?.responses['4xx']) as Schema);

  return (method, url, { status, body }) => {
    const path = url.replace(/\?.*/s, '');
    const route = routes.find((one) => one.method === method && one.pattern.test(path));
    const key = String(status) in (route?.responses ?? {}) ? String(status) : `${String(status)[0]}xx`;
    let validate = route ? route.compiled.get(key) : anyRefusal;
    if (route && !validate) {
      const schema = route.responses[key];
      if (!schema) return `${method} ${route.path} describes no ${status}`;
      validate = ajv.compile(closed(schema) as Schema);
      route.compiled.set(key, validate);
    }
    if (!validate || validate(body)) return null;
    return `${method} ${path} ${status}: ${ajv.errorsText(validate.errors)}`;
  };
}
