import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Test } from 'tap';

export interface SeenRequest {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}

/** How one request is answered: by a status, headers and body, or by hand. */
export type Scripted =
  | { status: number; headers?: Record<string, string>; body?: unknown }
  | ((response: ServerResponse) => void);

/** A server that answers as no healthy service does, one script line a request, the last one for all that follow. */
export async function scriptedServer(t: Test, ...script: Scripted[]) {
  const seen: SeenRequest[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { method = '', url = '', headers } = request;
    seen.push({ method, url, headers, body });
    const line = script[Math.min(seen.length, script.length) - 1];
    if (typeof line === 'function') return line(response);
    response.writeHead(line?.status ?? 500, { 'content-type': 'application/json', ...line?.headers });
    response.end(typeof line?.body === 'string' ? line.body : JSON.stringify(line?.body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}
