import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Test } from 'tap';
import { adminKey } from '../helpers/app.ts';
import { listeningApp } from '../helpers/listen.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read messages the way clients do
type Read = any;

/** A request that a server got. */
export interface Got {
  method: string;
  headers: IncomingMessage['headers'];
  body: Read;
}

export type Respond = (got: Got, response: ServerResponse) => void | Promise<void>;

export const event = (message: object | string, id?: string): string =>
  `${id === undefined ? '' : `id: ${id}\n`}data: ${typeof message === 'string' ? message : JSON.stringify(message)}\n\n`;
export const result = (id: unknown, value: object) => ({ jsonrpc: '2.0', id, result: value });
export const text = (content: string) => ({ content: [{ type: 'text', text: content }] });
export const json = (response: ServerResponse, message: object, status = 200) =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(message));
export const stream = (response: ServerResponse) =>
  response.writeHead(200, { 'content-type': 'text/event-stream' });

/** A server with sessions that responds to each call with its arguments. */
export const echo: Respond = ({ method, body }, response) => {
  if (method !== 'POST') return void response.writeHead(method === 'GET' ? 405 : 200).end();
  if (body.method === 'initialize') response.setHeader('mcp-session-id', 'session-of-server');
  if (body.id === undefined || body.method === undefined) return void response.writeHead(202).end();
  if (body.method === 'tools/list')
    return json(response, result(body.id, { tools: [{ name: 'read' }, { name: 'send' }] }));
  return json(response, result(body.id, text(JSON.stringify(body.params?.arguments ?? {}))));
};

/** A server on the loopback. `got`: what has reached it. */
async function startUpstream(t: Test, respond: Respond = echo) {
  const got: Got[] = [];
  const open = new Set<ServerResponse>();
  const server = createServer(async (request, response) => {
    open.add(response);
    let body = '';
    for await (const chunk of request) body += chunk;
    const one = { method: request.method ?? '', headers: request.headers, body: body && JSON.parse(body) };
    got.push(one);
    await respond(one, response);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, got, server, open };
}

/** The service, and the server `crm` behind its proxy. */
export async function proxied(
  t: Test,
  policy: string | null,
  {
    respond = echo,
    server = {},
    env = {},
  }: { respond?: Respond; server?: object; env?: Record<string, string> } = {},
) {
  const upstream = await startUpstream(t, respond);
  const app = await listeningApp(t, { ASSIZE_CALLBACK_ALLOW: '127.0.0.1', ...env });
  const { id, key } = await app.integration('AGENT', { contentRetention: 'full' });
  if (policy !== null) await app.policy(id, policy);
  const made = await app.call(adminKey, 'POST', '/v1/mcp-servers', {
    name: 'crm',
    url: upstream.url,
    ...server,
  });
  if (made.status !== 201) throw new Error(made.text);
  const url = `${app.url}/v1/mcp-proxy/crm`;

  function fetchFrom(
    method: string,
    body?: object | string,
    headers: Record<string, string> = {},
    signal?: AbortSignal,
  ) {
    return fetch(url, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        accept: 'application/json, text/event-stream',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      ...(signal && { signal }),
    });
  }
  /** One message: the status, the headers and the messages that come back. */
  async function send(body: object | string, headers: Record<string, string> = {}) {
    const response = await fetchFrom('POST', body, headers);
    return { status: response.status, headers: response.headers, messages: await messagesIn(response) };
  }
  return {
    app,
    key,
    id,
    url,
    serverId: made.body.data.id as string,
    upstream,
    fetchFrom,
    send,
    request: (rpcId: unknown, method: string, params: object = {}, headers: Record<string, string> = {}) =>
      send({ jsonrpc: '2.0', id: rpcId, method, params }, headers),
    call: (rpcId: unknown, name: string, args: object = {}, headers: Record<string, string> = {}) =>
      send({ jsonrpc: '2.0', id: rpcId, method: 'tools/call', params: { name, arguments: args } }, headers),
    async evaluations(): Promise<Read[]> {
      const { body } = await app.call(adminKey, 'GET', '/v1/evaluations?size=200');
      return body.data.sort((one: Read, other: Read) =>
        one.evaluationRunId < other.evaluationRunId ? -1 : 1,
      );
    },
  };
}

export async function messagesIn(response: Response): Promise<Read[]> {
  const body = await response.text();
  if (body === '') return [];
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return [JSON.parse(body)];
  return body
    .split('\n\n')
    .flatMap((block) => /^data: (.+)$/m.exec(block)?.[1] ?? [])
    .map((data) => JSON.parse(data));
}
