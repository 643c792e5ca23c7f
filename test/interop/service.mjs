import { mkdtempSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { adminKey, startApp } from '../helpers/app.ts';
import { removeFolder } from '../helpers/remove-folder.ts';

export { adminKey };

export const packageFile = (path) => join(import.meta.dirname, 'node_modules', path);

/** A folder that goes with the test. */
export function folderOf(t) {
  const folder = mkdtempSync(join(tmpdir(), 'assize-client-'));
  t.after(() => removeFolder(folder));
  return folder;
}

/** The real service on a real socket, with the helpers of the product's own tests. Closed after the test. */
export async function startService(t, env = {}) {
  const app = await startApp({ teardown: (after) => t.after(after) }, env);
  const base = await app.http.listen({ host: '127.0.0.1', port: 0 });
  return { ...app, base, url: `${base}/v1/mcp` };
}

/** A door on the loopback that adds the key: for clients that cannot send one. Answers the URL. */
export async function addingKey(t, url, key) {
  const { hostname, port, pathname } = new URL(url);
  const proxy = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${key}` };
    const forwarded = request(
      { hostname, port, path: pathname, method: incoming.method, headers },
      (response) => {
        outgoing.writeHead(response.statusCode, response.headers);
        response.pipe(outgoing);
      },
    );
    forwarded.on('error', () => outgoing.destroy());
    outgoing.on('close', () => forwarded.destroy());
    incoming.pipe(forwarded);
  });
  await new Promise((listening) => proxy.listen(0, '127.0.0.1', listening));
  t.after(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return `http://127.0.0.1:${proxy.address().port}/mcp`;
}
