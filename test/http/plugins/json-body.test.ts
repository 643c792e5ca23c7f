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
