import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import Fastify from 'fastify';
import t from 'tap';
import { admitRequests, limitWaiting } from '../../../src/http/plugins/admission.ts';
import { handleErrors } from '../../../src/http/plugins/errors.ts';

t.test('a caller that has left before it begins to wait holds no place', async (t) => {
  const app = Fastify();
  t.teardown(() => app.close());
  handleErrors(app);
  admitRequests(app, { requests: 0, bytes: 0, bodyBytes: 1_048_576, largeRequests: 2 });
  limitWaiting(app, 1);
  let arrived = Promise.withResolvers<void>();
  let waits = Promise.withResolvers<void>();
  app.get('/left', async (request, reply) => {
    arrived.resolve();
    await once(reply.raw, 'close');
    try {
      app.startWaiting(request, reply);
      waits.resolve();
    } catch (error) {
      waits.reject(error);
    }
    return 'done';
  });
  app.get('/stays', async (request, reply) => {
    app.startWaiting(request, reply);
    return 'done';
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  for (let caller = 0; caller < 3; caller++) {
    arrived = Promise.withResolvers();
    waits = Promise.withResolvers();
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
    socket.write('GET /left HTTP/1.1\r\nhost: a\r\n\r\n');
    await arrived.promise;
    socket.resetAndDestroy();
    await t.resolves(waits.promise, `caller ${caller}`);
  }
  for (let caller = 0; caller < 3; caller++)
    t.equal((await app.inject('/stays')).statusCode, 200, 'a place is free again after its response');
});
