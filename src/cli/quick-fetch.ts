import type { Agent, IncomingMessage } from 'node:http';
import type { Fetch } from '../client/options.ts';
import type { ClientTls } from './client-certificate.ts';

interface QuickFetchOptions {
  tls?: ClientTls;
  mostBytes?: number;
  /** Keeps connections open, for a process that makes many requests. */
  keepsAlive?: boolean;
}

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
export function createQuickFetch({
  tls = {},
  mostBytes = Number.POSITIVE_INFINITY,
  keepsAlive = false,
}: QuickFetchOptions): Fetch {
  // The agent that all requests share may go through the proxy that `NODE_USE_ENV_PROXY` asks for.
  const agents = new Map<string, Agent>();
  const agentFor = (name: 'node:https' | 'node:http'): Agent | false => {
    if (!keepsAlive) return false;
    const agent = agents.get(name) ?? new (process.getBuiltinModule(name).Agent)({ keepAlive: true });
    agents.set(name, agent);
    return agent;
  };
  return (url, { method, headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const name = url.startsWith('https:') ? 'node:https' : 'node:http';
      const { request } = process.getBuiltinModule(name);
      const options = { method, headers, signal, ...tls, agent: agentFor(name), rejectUnauthorized: true };
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
}

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
