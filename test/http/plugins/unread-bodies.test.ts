import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import t from 'tap';
import { startApp, type TestApp } from '../../helpers/app.ts';
import { listen, readResponse } from '../../helpers/raw-http.ts';

const mebibyte = 1_048_576;
const head = (key: string | null, path: string, length: number) =>
  [
    `POST ${path} HTTP/1.1`,
    'host: x',
    'content-type: application/json',
    `content-length: ${length}`,
    ...(key === null ? [] : [`authorization: Bearer ${key}`]),
    '\r\n',
  ].join('\r\n');

t.test(
  'a refusal that leaves before the body has arrived reaches a caller that sends all of it first',
  async (t) => {
    const app = await startApp(t);
    const { key } = await app.integration();
    const { open } = await listen(t, app);
    for (const [by, path, length, status] of [
      [null, '/v1/evaluate', mebibyte, 401],
      [key, '/v1/integrations', mebibyte, 403],
      [key, '/nowhere', mebibyte, 404],
      [key, '/v1/reviews', mebibyte, 405],
      [key, '/v1/evaluate', 8 * mebibyte, 413],
    ] as const) {
      const socket = open();
      socket.write(head(by, path, length));
      const response = readResponse(socket);
      socket.write(Buffer.alloc(length, 'x'));
      const { status: got, headers } = await response;
      t.equal(got, status, path);
      t.equal(headers.connection, 'close', path);
    }
  },
);

t.test('a refusal of a request that came whole leaves the connection open', async (t) => {
  const app = await startApp(t);
  const { key } = await app.integration();
  const { open } = await listen(t, app);
  const socket = open();
  const body = JSON.stringify({ input: {} });
  for (const [by, path, status] of [
    [null, '/v1/evaluate', 401],
    [key, '/v1/integrations', 403],
    [key, '/nowhere', 404],
    [key, '/v1/evaluate', 200],
  ] as const) {
    socket.write(`${head(by, path, body.length)}${body}`);
    const [response] = await once(socket, 'data');
    t.match(String(response), new RegExp(`^HTTP/1.1 ${status} `));
    t.notMatch(String(response), /connection: close/i);
  }
});

t.test('refusals reach many callers that send slowly and read the answer only afterwards', async (t) => {
  const app = await startApp(t);
  const { open } = await listen(t, app);
  const parts = 8;
  const part = Buffer.alloc(mebibyte / parts, 'x');
  const responses = Array.from({ length: 24 }, async () => {
    const socket = open();
    socket.write(head(null, '/v1/evaluate', mebibyte));
    for (let sent = 0; sent < parts; sent++) {
      await setTimeout(60);
      await new Promise((written) => socket.write(part, written));
    }
    return (await readResponse(socket)).status;
  });
  t.strictSame(await Promise.all(responses), Array(24).fill(401));
});

t.test('a caller that keeps its side open and sends nothing more is cut off', async (t) => {
  const app = await startApp(t);
  await app.http.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.http.server.address() as AddressInfo;
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  t.teardown(() => socket.destroy());
  socket.on('error', () => undefined).resume();
  socket.write(`${head(null, '/v1/evaluate', mebibyte)}{`);
  await once(socket, 'end');
  t.equal(await openConnections(app), 0);
});

t.test('a caller that never sends the rest loses its connection, and holds up nobody', async (t) => {
  const app = await startApp(t);
  const { open } = await listen(t, app);
  const ends = Array.from({ length: 12 }, () => {
    const socket = open();
    socket.write(`${head(null, '/v1/evaluate', mebibyte)}{`);
    socket.resume();
    return new Promise((resolve) => socket.once('close', resolve));
  });
  await Promise.all(ends);
  t.equal(await openConnections(app), 0);
});

t.test('a request that does not arrive in time is cut off with 408, in headers and in body', async (t) => {
  const app = await startApp(t);
  const { key } = await app.integration();
  const { exchange } = await listen(t, app);
  const { server } = app.http;
  t.equal(server.requestTimeout, 30_000, 'for the whole request, its body included');
  server.requestTimeout = 100;
  server.headersTimeout = 100;
  const whole = head(key, '/v1/evaluate', 100);
  for (const bytes of [whole.slice(0, 60), whole, `${whole}{"input":`]) {
    const { status, headers, body } = await exchange(bytes);
    t.equal(status, 408);
    t.equal(headers.connection, 'close');
    t.match(headers['x-request-id'], /./);
    t.strictSame(body, {
      success: false,
      statusCode: 408,
      errors: [{ code: 'invalid', message: 'the request has not arrived in time' }],
    });
  }
  const mcp = await app.integration('MCP_SERVER');
  t.equal((await exchange(head(mcp.key, '/v1/mcp', 100))).status, 408, 'MCP too');
  t.equal((await app.call(key, 'POST', '/v1/evaluate', { input: {} })).status, 200);
  t.equal(await openConnections(app), 0);
  t.notMatch(app.log.join(), /"level":[56]0/);
});

t.test('#36: a body that comes slowly has no more time than the headers', async (t) => {
  const app = await startApp(t);
  const { key } = await app.integration();
  const { open } = await listen(t, app);
  const { server } = app.http;
  server.requestTimeout /= 20;
  server.headersTimeout /= 20;
  const closed = (bytes: string, name: string) => {
    const socket = open();
    socket.on('error', () => undefined).resume();
    socket.write(bytes);
    return { socket, name: once(socket, 'close').then(() => name) };
  };
  const slow = closed(`${head(key, '/v1/evaluate', mebibyte)}{`, 'the body');
  const drip = setInterval(() => slow.socket.write(' '), 100);
  // Half of the time later, headers that never end: Node once gave bodies twice the time.
  await setTimeout(server.headersTimeout / 2);
  const headers = closed('POST /v1/evaluate HTTP/1.1\r\n', 'the headers of a later request');
  t.equal(await Promise.race([slow.name, headers.name]), 'the body', 'is cut off first');
  clearInterval(drip);
});

async function openConnections({ http }: TestApp): Promise<number> {
  for (let count = 1; ; ) {
    count = await new Promise<number>((resolve) => http.server.getConnections((_, open) => resolve(open)));
    if (count === 0) return count;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
