import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import t, { type Test } from 'tap';
import { goneSignal } from '../../src/http/open-streams.ts';

async function receive(t: Test): Promise<{ socket: Socket; response: ServerResponse }> {
  const server = createServer().listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  t.teardown(() => socket.destroy());
  socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n');
  const [, response] = (await once(server, 'request')) as [unknown, ServerResponse];
  return { socket, response };
}

t.test('a caller that disconnects before its response is gone', async (t) => {
  const { socket, response } = await receive(t);
  const signal = goneSignal(response);
  t.equal(signal.aborted, false);
  socket.resetAndDestroy();
  await once(signal, 'abort');
});

t.test('one that had disconnected is gone at once', async (t) => {
  const { socket, response } = await receive(t);
  socket.resetAndDestroy();
  await once(response, 'close');
  t.equal(goneSignal(response).aborted, true);
});

t.test('one that got its whole response is not', async (t) => {
  const { response } = await receive(t);
  const signal = goneSignal(response);
  response.end('done');
  await once(response, 'close');
  t.equal(signal.aborted, false);
});
