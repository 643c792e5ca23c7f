import type { IncomingMessage } from 'node:http';
import type { Fetch } from '../client/options.ts';
import type { ClientTls } from './client-certificate.ts';

/** The agent that all requests share may go through the proxy that `NODE_USE_ENV_PROXY` asks for. */
const straight = { agent: false, rejectUnauthorized: true } as const;

export class ResponseTooLarge extends Error {
  constructor(mostBytes: number) {
    super(`the response is larger than ${mostBytes} bytes`);
  }
}

/**
 * `fetch` for a process that makes few requests: the platform's own costs more processor time to load than the rest of a hook,
 * and sends no client certificate. An `import` of node:http would load it too, because the module re-exports its WebSocket. It
 * goes to the server itself and checks its certificate, whatever the environment says of proxies and TLS: an agent's project may
 * set that.
 */
export const createQuickFetch =
  ({ tls = {}, mostBytes = Number.POSITIVE_INFINITY }: { tls?: ClientTls; mostBytes?: number }): Fetch =>
  (url, { method, headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const { request } = process.getBuiltinModule(url.startsWith('https:') ? 'node:https' : 'node:http');
      const options = { method, headers, signal, ...tls, ...straight };
      const outgoing = request(url, options, (response) => {
        const status = response.statusCode ?? 0;
        resolve({
          ok: status >= 200 && status < 300,
          status,
          headers: { get: (name) => response.headers[name]?.toString() ?? null },
          text: () => textOf(response, mostBytes),
          body: response,
        });
      });
      // The first one is told; none after it may end the process.
      outgoing.on('error', reject).end(body);
    });

async function textOf(response: IncomingMessage, mostBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    bytes += chunk.length;
    if (bytes > mostBytes) throw new ResponseTooLarge(mostBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
