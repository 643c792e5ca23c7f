import Fastify, { type FastifyRequest } from 'fastify';
import t, { type Test } from 'tap';
import { orderFairly } from '../../../src/http/plugins/fair-order.ts';

const keyIn = ({ headers }: FastifyRequest): string => headers.authorization?.slice('Bearer '.length) ?? '';

/** Requests take a millisecond of the event loop each. Valid keys have one letter; a health check needs none. */
async function busyService(t: Test) {
  const app = Fastify();
  const done: string[] = [];
  const bodies: (() => void)[] = [];
  t.teardown(() => app.close());
  orderFairly(app);
  app.decorateRequest('caller', null);
  app.addHook('onRequest', async (request) => {
    const key = keyIn(request);
    // biome-ignore lint/suspicious/noExplicitAny: only the id is read
    if (key.length === 1) request.caller = { kind: 'integration', integration: { id: key } } as any;
  });
  const work = async (request: FastifyRequest) => {
    for (const until = performance.now() + 1; performance.now() < until; );
    done.push(keyIn(request) || request.url);
    return 'done';
  };
  app.get('/work', work);
  app.get('/health', { config: { outsideLoad: true } }, work);
  app.get('/body', async (request) => {
    await new Promise<void>((arrives) => bodies.push(arrives));
    await app.turnToGoOn(request);
    return work(request);
  });
  await app.ready();
  return {
    done,
    bodies,
    /** Each request arrives in a callback of its own, as over connections. */
    async ask(key: string, url = '/work', signal?: AbortSignal) {
      await new Promise((resolve) => setImmediate(resolve));
      return app.inject({
        url,
        ...(key !== '' && { headers: { authorization: `Bearer ${key}` } }),
        ...(signal && { signal }),
      });
    },
  };
}

const times = <T>(count: number, make: (place: number) => T): T[] =>
  Array.from({ length: count }, (_, place) => make(place));

t.test('a burst of one key does not keep another one waiting', async (t) => {
  const { done, ask } = await busyService(t);
  await ask('b');
  await Promise.all([...times(60, () => ask('a')), ask('b')]);
  t.equal(done.length, 62);
  t.ok(done.lastIndexOf('b') < 20, `after ${done.lastIndexOf('b')} of the burst`);
});

t.test('nor do many invented keys, of which none is valid', async (t) => {
  const { done, ask } = await busyService(t);
  await ask('b');
  await Promise.all([...times(60, (place) => ask(`invented-${place}`)), ask('b')]);
  t.ok(done.lastIndexOf('b') < 20, `after ${done.lastIndexOf('b')} others`);
});

t.test('health checks do not wait behind requests without a key', async (t) => {
  const { done, ask } = await busyService(t);
  await Promise.all([...times(60, () => ask('')), ask('', '/health')]);
  t.ok(done.indexOf('/health') < 20, `after ${done.indexOf('/health')} others`);
});

t.test('bodies that arrive together go on in turns', async (t) => {
  const { done, bodies, ask } = await busyService(t);
  const asked = [...times(30, () => ask('a', '/body')), ask('b', '/body')];
  while (bodies.length < asked.length) await new Promise((resolve) => setImmediate(resolve));
  for (const arrives of bodies) setImmediate(arrives);
  await Promise.all(asked);
  t.equal(done.length, 31);
  t.ok(done.indexOf('b') < 20, `after ${done.indexOf('b')} of the others`);
});

t.test('a request whose caller has left meanwhile is not worked on', async (t) => {
  const { done, ask } = await busyService(t);
  const leaving = new AbortController();
  const others = times(30, () => ask('a'));
  const left = ask('b', '/work', leaving.signal);
  setImmediate(() => leaving.abort());
  await t.rejects(left);
  await Promise.all(others);
  t.equal(done.length, 30);
});
