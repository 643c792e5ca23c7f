import type { Fetch } from '../../client/options.ts';

/** The agent that all requests share may go through the proxy that `NODE_USE_ENV_PROXY` asks for. */
const straight = { agent: false, rejectUnauthorized: true } as const;

/** Far above any response of the service, and little enough to read within a hook's time. */
const mostBytes = 1_048_576;

export class ResponseTooLarge extends Error {
  constructor() {
    super(`the response is larger than ${mostBytes} bytes`);
  }
}

/**
 * `fetch` for a process that makes one small request: the platform's own costs more processor time to load than the
 * rest of the hook. An `import` of node:http would load it too, because the module re-exports its WebSocket. It goes to the server
 * itself and checks its certificate, whatever the environment says of proxies and TLS: an agent's project may set that.
 */
export const quickFetch: Fetch = (url, { method, headers, body, signal }) =>
  new Promise((resolve, reject) => {
    const { request } = process.getBuiltinModule(url.startsWith('https:') ? 'node:https' : 'node:http');
    const outgoing = request(url, { method, headers, signal, ...straight }, (response) => {
      const status = response.statusCode ?? 0;
      const chunks: Buffer[] = [];
      let bytes = 0;
      response
        .on('data', (chunk: Buffer) => {
          bytes += chunk.length;
          if (bytes > mostBytes) response.destroy(new ResponseTooLarge());
          else chunks.push(chunk);
        })
        .once('error', reject)
        .once('end', () =>
          resolve({
            ok: status >= 200 && status < 300,
            status,
            headers: { get: (name) => response.headers[name]?.toString() ?? null },
            text: async () => Buffer.concat(chunks).toString(),
          }),
        );
    });
    outgoing.once('error', reject).end(body);
  });
