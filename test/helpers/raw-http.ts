import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Test } from 'tap';
import type { TestApp } from './app.ts';

export interface RawResponse {
  status: number;
  headers: Record<string, string>;
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers the way clients do
  body: any;
  text: string;
}

/** The app on a port of its own; `exchange` sends the very bytes and answers what comes back first. */
export async function listen(t: Test, app: TestApp) {
  await app.http.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.http.server.address() as AddressInfo;
  const open = (): Socket => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    t.teardown(() => socket.destroy());
    return socket;
  };
  return {
    open,
    exchange(bytes: string): Promise<RawResponse> {
      const socket = open();
      socket.write(bytes);
      return readResponse(socket);
    },
  };
}

export function readResponse(socket: Socket): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    let text = '';
    const look = (ended: boolean) => {
      const end = text.indexOf('\r\n\r\n');
      const [line = '', ...rest] = text.slice(0, Math.max(end, 0)).split('\r\n');
      const headers = Object.fromEntries(
        rest.map((header) => {
          const colon = header.indexOf(':');
          return [header.slice(0, colon).toLowerCase(), header.slice(colon + 1).trim()];
        }),
      );
      const body = text.slice(end + 4);
      if (end !== -1 && (ended || Buffer.byteLength(body) >= Number(headers['content-length']))) {
        const status = Number(line.split(' ')[1]);
        resolve({ status, headers, text: body, body: body === '' ? null : JSON.parse(body) });
        socket.destroy();
      } else if (ended) reject(new Error(`no answer, only: ${text}`));
    };
    socket.setEncoding('utf8');
    socket.on('data', (data: string) => {
      text += data;
      look(false);
    });
    socket.on('close', () => look(true));
  });
}
