import type { IncomingHttpHeaders } from 'node:http';
import { isJson, type Json } from '../../mcp-proxy/message.ts';

type Headers = Record<string, string>;

/** Headers that say how, not what: nobody decides by them. */
const plain = ['accept', 'mcp-protocol-version'] as const;

/** The headers of every request to a server; others of the client, and its key, are not passed on. */
export function plainHeaders(headers: IncomingHttpHeaders, forwardsAuthorization: boolean): Headers {
  const names = forwardsAuthorization ? [...plain, 'authorization'] : plain;
  const sent = names.flatMap((name) => {
    const value = headers[name];
    return typeof value === 'string' ? [[name, value] as const] : [];
  });
  return { 'user-agent': 'assize', ...Object.fromEntries(sent) };
}

/**
 * Since revision 2026-07-28, headers repeat parts of a message, so that it can be routed by them. A server that believed them would
 * do something else than was evaluated: they must say what the message says. A text tells which one does not.
 */
export function messageHeaders(headers: IncomingHttpHeaders, message: Json): Headers | string {
  const { method, params = {} } = message;
  const { name, uri, arguments: args } = isJson(params) ? params : ({} as Json);
  const repeated: Headers = {};
  const values = new Map<string, string>();
  for (const [header, sent] of Object.entries(headers)) {
    if (typeof sent !== 'string' || !/^mcp-(?:method|name|param-.+)$/.test(header)) continue;
    const value = decoded(sent);
    if (header.startsWith('mcp-param-')) values.set(value, header);
    else if (value !== (header === 'mcp-method' ? method : method === 'resources/read' ? uri : name))
      return differs(header);
    repeated[header] = sent;
  }
  removeLeaves(args, values);
  const [header] = values.values();
  return header === undefined ? repeated : differs(header);
}

const differs = (header: string): string => `the header ${header} differs from the message`;

/** Values that a header cannot hold are in base64 (SEP-2243). */
function decoded(value: string): string {
  const [, base64] = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/i.exec(value) ?? [];
  return base64 === undefined ? value : Buffer.from(base64, 'base64').toString();
}

/** Which argument a header repeats is in the schema of the tool. Both may be many: the arguments are read once. */
function removeLeaves(args: unknown, values: Map<string, string>): void {
  const rest = [args];
  while (values.size > 0 && rest.length > 0) {
    const value = rest.pop();
    if (typeof value !== 'object' || value === null) values.delete(String(value));
    else for (const member of Object.values(value)) rest.push(member);
  }
}
