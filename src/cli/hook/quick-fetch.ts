import type { Fetch } from '../../client/options.ts';

/**
 * `fetch` for a process that makes one small request: the platform's own costs more processor time to load than the
 * rest of the hook. An `import` of node:http would load it too, because the module hands on its WebSocket.
 */
export const quickFetch: Fetch = (url, { method, headers, body, signal }) =>
  new Promise((resolve, reject) => {
    const { request } = process.getBuiltinModule(url.startsWith('https:') ? 'node:https' : 'node:http');
    const outgoing = request(url, { method, headers, signal }, (response) => {
      const status = response.statusCode ?? 0;
      let text = '';
      response
        .setEncoding('utf8')
        .on('data', (chunk) => {
          text += chunk;
        })
        .once('error', reject)
        .once('end', () =>
          resolve({
            ok: status >= 200 && status < 300,
            status,
            headers: { get: (name) => response.headers[name]?.toString() ?? null },
            text: async () => text,
          }),
        );
    });
    outgoing.once('error', reject).end(body);
  });
