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
  const sent = typeof body === 'string' ? parsed(body) : body;
  if (Array.isArray(sent) ? sent.some(isCall) : typeof body === 'string' && isCall(sent)) {
    throw new AppError('invalid', 'send one JSON-RPC message, as application/json');
  }
  if (!isCall(body)) return;
  const name =
    misspelled(body, ['jsonrpc', 'method', 'params']) ?? misspelled(body.params, ['name', 'arguments']);
  if (name !== undefined) {
    throw new AppError('invalid', `the body has a member of JSON-RPC in another spelling: write ${name}`);
  }
}

/** The first of these names that is there in another spelling. */
const misspelled = (value: unknown, names: readonly string[]): string | undefined =>
  isObject(value)
    ? Object.keys(value)
        .filter((name) => !names.includes(name))
        .map(folded)
        .find((name) => names.includes(name))
    : undefined;

function parsed(text: string): unknown {
  try {
    // Some servers skip a byte order mark.
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    return null;
  }
}
