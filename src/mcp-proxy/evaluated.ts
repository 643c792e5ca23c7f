import { isJson, type Json, MessageError, rpcCodes } from './message.ts';
import { isMethodName, type Treatment } from './methods.ts';

// The input that policies see of a message, and what of the message is sent on: nothing else of it reaches the other end.

/** Members of `_meta` that are the protocol's: whatever else a client puts there is not seen by policies, and so is not sent on. */
const protocolMeta = /^(?:progressToken|traceparent|tracestate|baggage|io\.modelcontextprotocol\/[\w.-]+)$/;

/** The params with the `_meta` that may be sent on. */
export function passedParams(params: Json): Json {
  if (params._meta === undefined) return params;
  if (!isJson(params._meta)) throw new MessageError(rpcCodes.invalidParams, '_meta must be an object');
  const entries = Object.entries(params._meta).filter(([key]) => protocolMeta.test(key));
  return { ...params, _meta: Object.fromEntries(entries) };
}

/**
 * A request as policies see it. `tool` is the name that the hooks of agents send, and `mcp` says where it divides: a tool of the
 * server, or the method of a request that is no tool's. Throws MessageError for params that cannot be read in one way only.
 */
export function inputOf(server: string, method: string, params: Json, treatment: Treatment): Json {
  const { _meta: _, ...given } = params;
  if (treatment !== 'pass') checkNames(given, treatment.known);
  const named = (tool: string, args: unknown) => ({
    tool: `mcp__${server}__${tool}`,
    arguments: args,
    mcp: { server, tool, method },
  });
  if (method === 'prompts/get') {
    // Not under their own names: a call in the arguments of a call would be taken for it.
    const { name: prompt, arguments: values, ...others } = given;
    return named(method, { prompt, values, ...others });
  }
  if (method !== 'tools/call') return named(method, given);
  const { name, arguments: args = {}, inputResponses, requestState: __, ...others } = given;
  if (typeof name !== 'string' || name === '' || name.length > longestName)
    throw new MessageError(rpcCodes.invalidParams, `name must be a text of 1 to ${longestName} characters`);
  if (!isJson(args)) throw new MessageError(rpcCodes.invalidParams, 'arguments must be an object');
  // Rules would take a tool of this name for the method, and white space is not part of a name for them.
  if (isMethodName(name) || name !== name.normalize('NFC').trim())
    throw new MessageError(rpcCodes.invalidParams, 'the tool has a name that rules cannot tell apart');
  return {
    ...named(name, args),
    // The words of the person, or of the client's model, to a server that asked for them.
    ...(inputResponses !== undefined && { inputResponses }),
    ...(Object.keys(others).length > 0 && { others }),
  };
}

const longestName = 256;

/** A reader that ignores case would read another value than policies saw. */
function checkNames(params: Json, known: readonly string[]): void {
  const folded = new Map(known.map((name) => [fold(name), name]));
  for (const key of Object.keys(params)) {
    const name = folded.get(fold(key));
    if (name !== undefined && name !== key)
      throw new MessageError(rpcCodes.invalidParams, `${name} is written in another case`);
  }
}

/** As Go compares names: the long s and the sign of Kelvin are letters, too. */
const fold = (name: string): string =>
  name
    .toLowerCase()
    .replace(/\u017f/g, 's')
    .replace(/\u212a/g, 'k');

/**
 * A result as policies see it: all of it but the bytes of pictures and sounds. Only in blocks of content, which a client shows as
 * what they are: in structured content, a model reads everything as text.
 */
export const readableResult = (value: unknown): unknown => mapMedia(value, null);

/** The masked result with the bytes that policies did not see. */
export const withMedia = (masked: Json, original: unknown): Json => mapMedia(masked, { original }) as Json;

const contentKeys: ReadonlySet<string> = new Set(['content', 'contents', 'messages', 'resource']);

/** Replaces bytes by their number, or with `restore`, by those of the original. */
function mapMedia(value: unknown, restore: { original: unknown } | null): unknown {
  if (Array.isArray(value))
    return value.map((member, at) =>
      mapMedia(member, restore && { original: memberOf(restore.original, at) }),
    );
  if (!isJson(value)) return value;
  const original = restore === null ? value : restore.original;
  const entries = Object.entries(value).map(([key, member]) => {
    const before = memberOf(original, key);
    if (isMedia(original, key, before))
      return [key, restore === null ? { byteLength: Math.floor((before.length * 3) / 4) } : before];
    return [key, contentKeys.has(key) ? mapMedia(member, restore && { original: before }) : member];
  });
  return Object.fromEntries(entries);
}

const memberOf = (value: unknown, key: string | number): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Readonly<Record<string, unknown>>)[key]
    : undefined;

function isMedia(block: unknown, key: string, member: unknown): member is string {
  if (!isJson(block) || typeof member !== 'string' || member.length <= 1_000) return false;
  const { type, uri, mimeType } = block;
  const holds =
    key === 'data' ? type === 'image' || type === 'audio' : key === 'blob' && typeof uri === 'string';
  return (
    holds && /^(?:image\/(?!svg)|audio\/|video\/)/.test(String(mimeType)) && /^[\w+/-]+={0,2}$/.test(member)
  );
}
