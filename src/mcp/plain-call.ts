import type { IncomingHttpHeaders } from 'node:http';
import { classifyInboundRequest } from '@modelcontextprotocol/server';
import { isObject, latestVersion, type Message } from './message.ts';

/** A tool call that the SDK would pass on unchanged. */
export interface PlainCall {
  id: string | number;
  name: string;
  arguments: Record<string, unknown>;
}

/** The parameters of a plain call. Any other parameter has a meaning that only the SDK knows. */
const parameters: ReadonlySet<string> = new Set(['name', 'arguments', '_meta']);

/**
 * The call, if the message is of the current revision and needs no refusal, translation or streaming: the SDK classifies its
 * form and envelope, and the headers match the body exactly. null for all others.
 */
export function plainCall(headers: IncomingHttpHeaders, { body, meta, method }: Message): PlainCall | null {
  const params = isObject(body.params) ? body.params : {};
  if (
    method !== 'tools/call' ||
    headers['mcp-method'] !== method ||
    headers['mcp-name'] !== params.name ||
    headers['mcp-protocol-version'] !== latestVersion ||
    headers['content-type'] !== 'application/json' ||
    !takesBoth(headers.accept) ||
    meta.progressToken !== undefined ||
    !Object.keys(params).every((name) => parameters.has(name))
  ) {
    return null;
  }
  const route = classifyInboundRequest({
    httpMethod: 'POST',
    protocolVersionHeader: latestVersion,
    mcpMethodHeader: method,
    body,
  });
  if (route.kind !== 'modern' || route.messageKind !== 'request') return null;
  const { id } = route.message;
  const { name, arguments: given = {} } = params;
  return typeof name === 'string' && isObject(given) ? { id, name, arguments: given } : null;
}

/** The protocol requires clients to accept both a message and a stream of them. The SDK refuses the others. */
const takesBoth = (accept = ''): boolean =>
  accept.includes('application/json') && accept.includes('text/event-stream');
