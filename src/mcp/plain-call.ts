import type { IncomingHttpHeaders } from 'node:http';
import { classifyInboundRequest } from '@modelcontextprotocol/server';
import { isObject, type Message } from './message.ts';
import { latestVersion } from './versions.ts';

/** A call of a tool that the SDK would pass on as it is. */
export interface PlainCall {
  id: string | number;
  name: string;
  arguments: Record<string, unknown>;
}

/** What a plain call has beside its id and method; more of it has a meaning that only the SDK knows. */
const parameters: ReadonlySet<string> = new Set(['name', 'arguments', '_meta']);

/**
 * The call, if the message is one of the current revision that has nothing to be refused, translated or streamed: its
 * form and envelope are the SDK's to judge, the headers say exactly what the body says. null for all others.
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

/** Clients of the protocol must take a message as well as a stream of them; others are the SDK's to refuse. */
const takesBoth = (accept = ''): boolean =>
  accept.includes('application/json') && accept.includes('text/event-stream');
