import { Type } from '@sinclair/typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../../errors.ts';
import type { Evaluations } from '../../../evaluate/evaluate.ts';
import type { EvaluateRequest } from '../../../schemas/evaluations.ts';
import type { Scope } from '../../scope.ts';
import { decide, sessionNamed } from './decide.ts';

const prefix = '/ext-authz';

/**
 * Envoy's external authorization over HTTP (envoy.extensions.filters.http.ext_authz.v3.HttpService): the request as it came,
 * behind a prefix. 200 lets it through; every other response denies it, errors included.
 */
export function extAuthzRoutes(app: Scope, { evaluations }: { evaluations: Evaluations }): void {
  // A body that is no JSON is evaluated as text, and one of bytes is seen as unreadable.
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body || null));

  const querystring = Type.Record(Type.String(), Type.Unknown());
  const route = {
    url: `${prefix}/*`,
    exposeHeadRoute: false,
    config: { callers: 'integration', scope: 'evaluate' },
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      const { allowed, reason, response } = await decide(evaluations, request, requestOf(request));
      reply.header('x-assize-evaluation-id', response.evaluationRunId);
      if (response.reviewRequestId !== null) reply.header('x-assize-review-id', response.reviewRequestId);
      return allowed ? reply.code(200).send() : reply.code(403).send({ reason });
    },
  } as const;
  app.route({ ...route, method: ['GET', 'HEAD'], schema: { hide: true, querystring } });
  app.route({
    ...route,
    method: ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
    schema: { hide: true, querystring, body: Type.Unknown() },
  });
}

function requestOf(request: FastifyRequest): EvaluateRequest {
  const { method, url, headers, body } = request;
  if (headers['x-envoy-auth-partial-body'] === 'true')
    throw new AppError('invalid', 'only a part of the body came: leave allow_partial_message out in Envoy');
  const { path, query } = targetOf(url.slice(url.indexOf(prefix) + prefix.length));
  // Host names mean the same in upper and lower case, and with a dot at the end. X-Forwarded-Host counts from trusted proxies
  // only: any client could send it.
  const host = plainHost(request.host);
  const http = { method, host, path, query };
  refuseDisguisedCalls(body);
  const session = headers['x-assize-session'];
  return {
    input: isCall(body)
      ? callIn(body, http)
      : { tool: 'http.request', ...http, ...(hasBody(body) && { body }) },
    targetKey: `${method} ${host}${path}`.slice(0, 1_000),
    ...sessionNamed('envoy', typeof session === 'string' ? session : null),
  };
}

const hasBody = (body: unknown): boolean => body !== null && body !== undefined;

/** A host in the one form that rules compare: lower case, without dots at its end, and without an empty or usual port. */
function plainHost(sent: string): string {
  return sent
    .toLowerCase()
    .replace(/\.*(:\d*)?$/, (_, port: string = '') => ([':', ':80', ':443'].includes(port) ? '' : port));
}

/**
 * The path and query that a server behind a gateway will see, from the target of a request. The path is in its normal form (RFC
 * 3986, 6.2.2): a rule about `/admin` must not be evaded by `/%61dmin`, `//admin` or `/x/../admin`. Throws AppError for a path that
 * servers read differently.
 */
export function targetOf(target: string): { path: string; query: string } {
  const at = target.indexOf('?');
  const escaped = at === -1 ? target : target.slice(0, at);
  const mistake = unusual.find(([form]) => form.test(escaped));
  if (mistake) throw ambiguous(mistake[1]);
  const unescaped = escaped.replace(/%([2-7][0-9a-f])/gi, (code, digits: string) => {
    const character = String.fromCharCode(Number.parseInt(digits, 16));
    return /[\w.~-]/.test(character) ? character : code;
  });
  const [path, mergedFirst] = [withoutDots(unescaped), withoutDots(merged(unescaped))];
  if (path === null || path !== mergedFirst) throw ambiguous('dot segments behind empty ones');
  if (readings(path).some(isUnclear)) throw ambiguous('a dot segment or an empty one in an unusual form');
  return { path, query: at === -1 ? '' : target.slice(at + 1) };
}

/** Forms that some servers refuse, some keep, and some read as another path. */
const unusual: readonly [form: RegExp, what: string][] = [
  [/#/, '#'],
  [/\\/, 'a backslash'],
  [/[^\x21-\x7e]/, 'characters that are not escaped'],
  [/%(?![0-9a-f]{2})/i, '% without two hexadecimal digits'],
  [/%(?:[01][0-9a-f]|7f)/i, 'control characters'],
  // Decoded without a check, they are `.` and `/`.
  [/%(?:c[01]|e0%[89]|f0%8)/i, 'characters that are escaped in more bytes than they have'],
];

const ambiguous = (what: string): AppError =>
  new AppError('invalid', `the path is ambiguous, because servers read it differently: it has ${what}`);

const merged = (path: string): string => path.replace(/\/{2,}/g, '/');

/** Servers merge slashes before they resolve dot segments, or after. */
function withoutDots(path: string): string | null {
  const resolved = URL.parse(`http://host${path}`)?.pathname;
  return resolved === undefined ? null : merged(resolved);
}

/** Nobody escapes a path that often but to be misread, and each time costs a pass over it. */
const mostEscapes = 4;

/** The path as it is, and decoded once, twice, … : proxies and servers in a row may each do it. */
function readings(path: string): string[] {
  const found = [path];
  for (let last = path; found.length <= mostEscapes; ) {
    const decoded = last.replace(/%(2[ef5]|3b|5c)/gi, (_, digits: string) =>
      String.fromCharCode(Number.parseInt(digits, 16)),
    );
    if (decoded === last) return found;
    found.push(decoded);
    last = decoded;
  }
  throw ambiguous('characters that are escaped many times');
}

/** Some servers cut a segment off at its `;`, and some take `\` for `/`. */
const isUnclear = (path: string): boolean => {
  const segments = path.split(/[/\\]/).map((segment) => segment.replace(/;.*/s, ''));
  const inner = segments.slice(1, -1);
  return inner.includes('') || segments.some((segment) => segment === '.' || segment === '..');
};

// JSON-RPC calls in the body of a request that Envoy asks about: an MCP server behind it is governed by its tools.

type Members = Record<string, unknown>;
const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** As Go's JSON compares names: in any case, and with `ſ` as an s. */
const folded = (name: string): string => name.toUpperCase().toLowerCase();

/** Whether some server takes it for a call: not all ask for `jsonrpc`. */
export const isCall = (body: unknown): body is Members =>
  isObject(body) &&
  Object.entries(body).some(
    ([name, value]) => folded(name) === 'jsonrpc' || (folded(name) === 'method' && value === 'tools/call'),
  );

/**
 * The tool of a call is that of its `params`. Members beside those of JSON-RPC, such as `tool`, would be taken for the tool's name:
 * they stand apart.
 */
export function callIn(
  { jsonrpc, id, method, params, ...more }: Members,
  http: object,
): EvaluateRequest['input'] {
  return {
    jsonrpc: jsonrpc ?? null,
    id: id ?? null,
    method,
    params: params ?? {},
    http,
    more,
  } as EvaluateRequest['input'];
}

/** Throws AppError for calls that a server could do and policies would not see, or would see as another call. */
export function refuseDisguisedCalls(body: unknown): void {
  if (Array.isArray(body) ? body.some(isCall) : typeof body === 'string' && holdsCall(body)) {
    throw new AppError('invalid', 'send one JSON-RPC message, as application/json');
  }
  if (!isCall(body)) return;
  const name =
    misspelled(body, ['jsonrpc', 'method', 'params']) ?? misspelled(body.params, ['name', 'arguments']);
  if (name !== undefined) {
    throw new AppError('invalid', `the body has a member of JSON-RPC in another spelling: write ${name}`);
  }
}

/**
 * JSON strings of at most the length of the names below with every letter escaped, and with no other escapes. They may overlap: a quote
 * ends or begins one.
 */
const shortString = /(?=("(?:[^"\\]|\\[u/]){7,60}"))/g;

/**
 * Whether a text has a name of JSON-RPC as a JSON string anywhere: servers may read messages line by line, in events, or up to the
 * end of the first one. Servers that read UTF-16 see the same text without its NUL characters.
 */
function holdsCall(text: string): boolean {
  for (const [, quoted] of text.replaceAll('\0', '').matchAll(shortString)) {
    const name = unquoted(quoted ?? '');
    if (name === 'tools/call' || folded(name) === 'jsonrpc') return true;
  }
  return false;
}

/** The first of these names that is there in another spelling. */
const misspelled = (value: unknown, names: readonly string[]): string | undefined =>
  isObject(value)
    ? Object.keys(value)
        .filter((name) => !names.includes(name))
        .map(folded)
        .find((name) => names.includes(name))
    : undefined;

/** Not by JSON.parse: in a text that is no JSON, it would throw for each of 100,000 quotes. */
const unquoted = (quoted: string): string =>
  quoted
    .slice(1, -1)
    .replace(/\\(?:u([0-9a-f]{4})|\/)/gi, (_, code?: string) =>
      code === undefined ? '/' : String.fromCharCode(Number.parseInt(code, 16)),
    );
