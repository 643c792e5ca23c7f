import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Test } from 'tap';

export interface Received {
  headers: IncomingHttpHeaders;
  body: string;
  at: number;
}

/** A real receiver on this machine. `respond` answers; 204 when absent. */
export async function openReceiver(
  t: Test,
  respond: (response: ServerResponse, received: Received) => void = (response) => {
    response.writeHead(204).end();
  },
) {
  const received: Received[] = [];
  const wake = new Set<() => void>();
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const one = { headers: request.headers, body, at: performance.now() };
    received.push(one);
    respond(response, one);
    for (const go of [...wake]) go();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    async take(count: number): Promise<Received[]> {
      while (received.length < count) {
        await new Promise<void>((resolve) => {
          const go = () => {
            wake.delete(go);
            resolve();
          };
          wake.add(go);
        });
      }
      return received.slice(0, count);
    },
  };
}
