import { AppError } from '../../../errors.ts';
import type { EvaluateRequest } from '../../../schemas/evaluations.ts';

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
