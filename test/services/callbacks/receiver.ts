import { createServer as createHttpServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';

export interface Received {
  method: string | undefined;
  path: string | undefined;
  headers: Record<string, string>;
  body: string;
}

/** A server on a free port of 127.0.0.1 that keeps what it was sent, and counts connections before a byte is read. */
export interface Receiver {
  port: number;
  requests: Received[];
  connections: Socket[];
  close(): Promise<void>;
}

/** `handle` responds, once the whole request is in. */
export async function startReceiver(
  handle: RequestListener,
  tls?: { key: string; cert: string },
): Promise<Receiver> {
  const requests: Received[] = [];
  const listener: RequestListener = (request, response) => {
    readBody(request).then((body) => {
      const headers = Object.fromEntries(Object.entries(request.headers).map(([k, v]) => [k, String(v)]));
      requests.push({ method: request.method, path: request.url, headers, body });
      handle(request, response);
    });
  };
  return listen(tls === undefined ? createHttpServer(listener) : createHttpsServer(tls, listener), requests);
}

/** Accepts connections and never says a word. */
export function startSilence(): Promise<Receiver> {
  return listen(createTcpServer(), []);
}

async function listen(server: Server, requests: Received[]): Promise<Receiver> {
  const connections: Socket[] = [];
  server.on('connection', (socket) => connections.push(socket.on('error', () => undefined)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of connections) socket.destroy();
    });
  return { port, requests, connections, close };
}

async function readBody(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) body += chunk;
  return body;
}
