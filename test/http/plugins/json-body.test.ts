import Fastify, { type FastifyRequest } from 'fastify';
import t from 'tap';
import { readJsonBodies } from '../../../src/http/plugins/json-body.ts';

t.test('a body is let go of with its response, while its connection stays open', async (t) => {
  const app = Fastify();
  t.teardown(() => app.close());
  app.decorate('turnToParse', () => null);
  readJsonBodies(app);
  const requests: FastifyRequest[] = [];
  const text = 'x'.repeat(10_000);
  app.post('/', async (request) => {
    t.strictSame(request.body, { text });
    t.ok(request.bodyText && request.sentTexts?.size);
    requests.push(request);
    return 'ok';
  });
  const ended = new Promise<void>((resolve) =>
    app.addHook('onResponse', (_request, _reply, done) => {
      done();
      resolve();
    }),
  );
  await app.inject({ method: 'POST', url: '/', payload: { text } });
  await ended;
  t.match(requests, [{ body: null, bodyText: '', sentTexts: null }]);
});

t.test('a body is UTF-8, and halves of surrogate pairs in it are escaped', async (t) => {
  const app = Fastify();
  t.teardown(() => app.close());
  app.decorate('turnToParse', () => null);
  readJsonBodies(app);
  app.post('/', async ({ body }) => ({ body }));
  const send = async (payload: Buffer | string) => {
    const headers = { 'content-type': 'application/json' };
    return (await app.inject({ method: 'POST', url: '/', headers, payload })).json();
  };
  t.strictSame(await send('{"a":"\ufffd\u00e9\ud83d\ude00"}'), { body: { a: '\ufffd\u00e9\ud83d\ude00' } });
  t.match(await send(Buffer.from([0x22, 0xff, 0x22])), { message: 'the body must be UTF-8' });
  t.match(await send(Buffer.from([0x22, 0xef, 0xbf, 0xbd, 0xff, 0x22])), {
    message: 'the body must be UTF-8',
  });
  for (const half of ['{"a":"\\ud800"}', '{"a":["\\\\\\udc00"]}'])
    t.match(await send(half), { message: /^must be Unicode text/ });
});
