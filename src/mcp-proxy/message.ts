import { isNestedDeeper } from '../json/members.ts';
import { needsExactReading, parseForWriting, tryParseStrictly } from '../json/parse.ts';

/** JSON-RPC leaves it to the sender whether its ids are texts or numbers; MCP has no other ones. */
export type Id = string | number;
export type Json = Readonly<Record<string, unknown>>;

/** One JSON-RPC message. `value` is all of it: what was read is what is sent on. */
export type Message =
  | { kind: 'request'; id: Id; method: string; params: Json; value: Json }
  | { kind: 'notification'; method: string; params: Json; value: Json }
  /** `result` or `error`, under its own name, in `body`. */
  | { kind: 'response'; id: Id; body: Json; value: Json };

/** Codes of JSON-RPC 2.0, section 5.1. */
export const rpcCodes = {
  parse: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  internal: -32_603,
  /** An error code among those that JSON-RPC leaves to servers. */
  stopped: -32_000,
} as const;

/** A message that is not sent on. */
export class MessageError extends Error {
  readonly code: number;
  /** Null when the message has none that can be read. */
  readonly id: Id | null;
  /** Whether it is a response, to which nobody responds. */
  readonly isResponse: boolean;

  constructor(code: number, message: string, id: Id | null = null, isResponse = false) {
    super(message);
    this.name = 'MessageError';
    this.code = code;
    this.id = id;
    this.isResponse = isResponse;
  }
}

const longestId = 256;

/**
 * Reads one message. Throws MessageError for everything that another reader could take for another message: a key that occurs
 * twice or in another case (a Go program reads `Method` as `method`), members that JSON-RPC does not have, and batches.
 */
export function readMessage(text: string): Message {
  const value = parse(text);
  if (Array.isArray(value))
    throw new MessageError(rpcCodes.invalidRequest, 'batches are not supported: send one message at a time');
  if (!isJson(value)) throw new MessageError(rpcCodes.invalidRequest, 'a message must be a JSON object');
  const id = idIn(value);
  const read =
    mistakeIn(value, id) ?? (value.method === undefined ? responseIn(value, id) : callIn(value, id));
  if (typeof read !== 'string') return read;
  throw new MessageError(rpcCodes.invalidRequest, read, id ?? null, value.method === undefined);
}

type ReadId = ReturnType<typeof idIn>;

function mistakeIn(value: Json, id: ReadId): string | null {
  if (value.jsonrpc !== '2.0') return 'jsonrpc must be "2.0"';
  if (id === null) return `id must be an integer, or a text of at most ${longestId} characters`;
  return Object.keys(value).every((key) => members.has(key)) ? null : 'the message has an unknown member';
}

function responseIn(value: Json, id: ReadId): Message | string {
  const { result, error, params } = value;
  if (id === undefined || id === null || params !== undefined) return 'the message has no method';
  if ((result === undefined) === (error === undefined))
    return 'a response must have either a result or an error';
  if (!isJson(result ?? error)) return 'the result or error of a response must be an object';
  return { kind: 'response', id, body: result === undefined ? { error } : { result }, value };
}

function callIn(value: Json, id: ReadId): Message | string {
  const { method, params = {} } = value;
  if (typeof method !== 'string') return 'method must be a text';
  if ('result' in value || 'error' in value) return 'a message is a request or a response, not both';
  if (!isJson(params)) return 'params must be an object';
  return id === undefined || id === null
    ? { kind: 'notification', method, params, value }
    : { kind: 'request', id, method, params, value };
}

const members: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params', 'result', 'error']);

/** Deepest nesting of a message: twice that of the arguments of a call. */
const deepest = 128;

function parse(text: string): unknown {
  const isDeep = isNestedDeeper(text, deepest);
  const value = isDeep ? undefined : tryParseStrictly(text);
  if (value !== undefined) return needsExactReading(text) ? parseForWriting(text) : value;
  // For its id.
  const { id = null, method } = parseLoosely(text);
  const message = isDeep
    ? `the message is nested deeper than ${deepest} levels`
    : 'the message has a key twice in an object';
  throw new MessageError(rpcCodes.invalidRequest, message, idIn({ id }) ?? null, method === undefined);
}

function parseLoosely(text: string): { id?: unknown; method?: unknown } {
  try {
    return JSON.parse(text) as { id?: unknown; method?: unknown };
  } catch {
    throw new MessageError(rpcCodes.parse, 'the message is not JSON');
  }
}

/** Undefined when there is none, null for one that is none. */
function idIn({ id }: { readonly id?: unknown }): Id | null | undefined {
  if (id === undefined) return undefined;
  if (typeof id === 'string') return id.length <= longestId ? id : null;
  return Number.isSafeInteger(id) ? (id as number) : null;
}

export const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The text of a message. `JSON.stringify` writes the big integers that were read exactly. */
export const messageText = (value: object): string => asLine(JSON.stringify(value));

/**
 * A JSON text that no reader takes for two lines: Python also ends lines at U+000D, and Node's readline at U+2028 and U+2029. Between
 * tokens JSON has only the first of these, in strings only the others.
 */
export const asLine = (text: string): string =>
  lineEnds.reduce((line, [end, inPlace]) => line.replaceAll(end, inPlace), text);

const lineEnds = [
  ['\r', ' '],
  ['\n', ' '],
  ['\u0085', '\\u0085'],
  ['\u2028', '\\u2028'],
  ['\u2029', '\\u2029'],
] as const;

export const errorText = (id: Id | null, code: number, message: string, data?: object): string =>
  messageText({ jsonrpc: '2.0', id, error: { code, message, ...(data && { data }) } });

export const resultText = (id: Id, result: object): string => messageText({ jsonrpc: '2.0', id, result });
