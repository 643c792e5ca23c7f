import type { TestApp } from '../helpers/app.ts';

const accept = 'application/json, text/event-stream';
export const revision = '2026-07-28';
const legacyRevision = '2025-11-25';

/** What every request of the current revision says of itself. */
export const envelope = (client = 'test') => ({
  'io.modelcontextprotocol/protocolVersion': revision,
  'io.modelcontextprotocol/clientInfo': { name: client, version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
});

export interface Sent {
  body: unknown;
  headers: Record<string, string>;
}

/** A request of the current revision. `meta` is added to its envelope. */
export function modern(
  method: string,
  params: Record<string, unknown> = {},
  meta: Record<string, unknown> = {},
  client = 'test',
): Sent {
  const { name } = params;
  return {
    body: { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: { ...envelope(client), ...meta } } },
    headers: {
      'content-type': 'application/json',
      accept,
      'mcp-protocol-version': revision,
      'mcp-method': method,
      ...(typeof name === 'string' && { 'mcp-name': name }),
    },
  };
}

/** A request of the revisions before it, on the connection of `sessionId`, if it has one. */
export function legacy(method: string, params: Record<string, unknown> = {}, sessionId?: string): Sent {
  return {
    body: { jsonrpc: '2.0', id: 1, method, params },
    headers: {
      'content-type': 'application/json',
      accept,
      'mcp-protocol-version': legacyRevision,
      ...(sessionId && { 'mcp-session-id': sessionId }),
    },
  };
}

export const initialize = (client = 'test', version = legacyRevision): Sent => {
  const { body, headers } = legacy('initialize', {
    protocolVersion: version,
    capabilities: {},
    clientInfo: { name: client, version: '1.0.0' },
  });
  const { 'mcp-protocol-version': _, ...others } = headers;
  return { body, headers: others };
};

export interface Reply {
  status: number;
  headers: Record<string, string>;
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers the way clients do
  body: any;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  notifications: any[];
}

/** Sends it, and reads the answer from JSON or from a stream of events. */
export async function send(app: TestApp, key: string | null, { body, headers }: Sent): Promise<Reply> {
  const response = await app.call(key, 'POST', '/v1/mcp', body, headers);
  const messages = response.text
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice(6)));
  return {
    status: response.status,
    headers: response.headers,
    body: response.body ?? messages.at(-1) ?? null,
    notifications: messages.slice(0, -1),
  };
}

// biome-ignore lint/suspicious/noExplicitAny: as above
export type Result = any;

/** The result of a tool's call. */
export async function callTool(
  app: TestApp,
  key: string,
  name: string,
  args: Record<string, unknown> = {},
  how: {
    meta?: Record<string, unknown>;
    client?: string;
    /** A call of the older revisions, on this connection; empty for one that has no id. */
    connection?: string;
    /** Needs an app that trusts its proxy. */
    address?: string;
  } = {},
): Promise<Result> {
  const params = { name, arguments: args };
  const sent =
    how.connection === undefined
      ? modern('tools/call', params, how.meta, how.client)
      : legacy('tools/call', { ...params, ...(how.meta && { _meta: how.meta }) }, how.connection);
  if (how.address !== undefined) sent.headers['x-forwarded-for'] = how.address;
  const { status, body } = await send(app, key, sent);
  if (status !== 200 || !body.result) throw new Error(`no result: ${status} ${JSON.stringify(body)}`);
  return body.result;
}

/** Opens a connection of the older revisions. Returns its id; empty when the server gives none. */
export async function connect(app: TestApp, key: string, client?: string): Promise<string> {
  const { headers } = await send(app, key, initialize(client));
  return headers['mcp-session-id'] ?? '';
}
