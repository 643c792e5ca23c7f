import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import Fastify from 'fastify';
import t, { type Test } from 'tap';
import { admitRequests } from '../../../src/http/plugins/admission.ts';
import { handleErrors } from '../../../src/http/plugins/errors.ts';
import { startApp } from '../../helpers/app.ts';
import { listen, type RawResponse, readResponse } from '../../helpers/raw-http.ts';

const refusal = {
  success: false,
  statusCode: 503,
  errors: [{ code: 'unavailable', message: 'too many requests or bytes of this key are in flight' }],
};

/** A service whose one slow route answers when told to. */
function slowService(most: number, logger?: { stream: { write(line: string): void } }) {
  const app = Fastify(logger ? { logger } : {});
  const waiting: (() => void)[] = [];
  let entered = () => {};
  handleErrors(app);
  admitRequests(app, { requests: most, bytes: 0, bodyBytes: 1_048_576, largeRequests: 2 });
  app.get('/slow', async () => {
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      entered();
    });
    return 'done';
  });
  app.get('/fails', async () => {
    throw new Error('broken');
  });
  app.get('/health', { config: { outsideLoad: true } }, async () => 'ok');
  const nextEnters = (): Promise<void> =>
    new Promise((resolve) => {
      entered = resolve;
    });
  return {
    app,
    nextEnters,
    /** Starts a slow request; resolves once it is under way. */
    async begin() {
      const arrived = nextEnters();
      const response = app.inject('/slow').then(({ statusCode }) => statusCode);
      await arrived;
      return { response };
    },
    finish: () => waiting.shift()?.(),
  };
}

t.test('beyond the limit requests are answered 503 with Retry-After; health checks pass', async (t) => {
  const { app, begin, finish } = slowService(2);
  const [first, second] = [await begin(), await begin()];
  for (const url of ['/slow', '/fails', '/nowhere']) {
    const refused = await app.inject(url);
    t.equal(refused.statusCode, 503, url);
    t.equal(String(refused.headers['retry-after']), '1', url);
    t.strictSame(refused.json(), refusal, url);
  }
  t.equal((await app.inject('/health')).statusCode, 200);
  finish();
  t.equal(await first.response, 200, 'what was accepted is finished');
  const third = await begin();
  t.equal((await app.inject('/slow')).statusCode, 503, 'there was room for one');
  finish();
  finish();
  t.strictSame(await Promise.all([second.response, third.response]), [200, 200]);
});

t.test('refusals do not fill the event loop, and what is under way is answered between them', async (t) => {
  const { app, begin, finish } = slowService(1);
  const held = await begin();
  let refused = 0;
  const all = Array.from({ length: 200 }, () =>
    app.inject('/nowhere').then(({ statusCode }) => {
      t.equal(statusCode, 503);
      return ++refused;
    }),
  );
  let most = 0;
  let accepted: Promise<[number, number]> | undefined;
  for (let before = 0; refused < all.length; before = refused) {
    await new Promise((resolve) => setImmediate(resolve));
    most = Math.max(most, refused - before);
    if (refused > 0 && !accepted) {
      accepted = held.response.then((statusCode) => [statusCode, refused]);
      finish();
    }
  }
  await Promise.all(all);
  t.ok(most <= 32, `${most} refused in a turn`);
  const [statusCode, before] = (await accepted) as [number, number];
  t.equal(statusCode, 200);
  t.ok(before < all.length, `answered after ${before} refusals`);
});

t.test('a request that fails or is refused gives its place back', async (t) => {
  const { app, begin, finish } = slowService(1);
  for (let n = 0; n < 3; n++) t.equal((await app.inject('/fails')).statusCode, 500);
  const held = await begin();
  t.equal((await app.inject('/slow')).statusCode, 503);
  finish();
  t.equal(await held.response, 200);
  t.equal((await app.inject('/fails')).statusCode, 500);
});

t.test('0 is no limit', async (t) => {
  const { begin, finish } = slowService(0);
  const all = [await begin(), await begin(), await begin()];
  for (const _ of all) finish();
  t.strictSame(await Promise.all(all.map((one) => one.response)), [200, 200, 200]);
});

t.test('a caller that leaves before its answer gives its place back', async (t) => {
  const { app, nextEnters, finish } = slowService(1);
  t.teardown(() => app.close());
  const address = new URL(await app.listen({ port: 0 }));
  const entered = nextEnters();
  const socket = connect(Number(address.port), address.hostname);
  socket.write('GET /slow HTTP/1.1\r\nhost: a\r\n\r\n');
  await entered;
  t.equal((await app.inject('/slow')).statusCode, 503);
  socket.destroy();
  const freed = async () => (await app.inject('/fails')).statusCode === 500;
  while (!(await freed())) await new Promise((resolve) => setImmediate(resolve));
  finish();
  t.equal((await app.inject('/fails')).statusCode, 500, 'and once only');
});

t.test('refusals are told in one line of the log, not in one each', async (t) => {
  const lines: { level: number; msg: string; refused?: number }[] = [];
  const stream = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const { app, begin, finish } = slowService(1, { stream });
  const first = await begin();
  await Promise.all(['/slow', '/slow', '/fails'].map((url) => app.inject(url)));
  finish();
  await first.response;
  await app.inject('/fails');
  await app.close();
  const told = lines.filter(({ level }) => level >= 40);
  t.match(
    told.map(({ level, msg, refused }) => ({ level, msg, refused })),
    [
      { level: 50, msg: 'request failed' },
      { level: 40, msg: 'the service is overloaded', refused: 3 },
    ],
  );
  t.equal(told.length, 2);
});

t.test('a caller that takes all it can get leaves room for the others', async (t) => {
  const { app, keys, evaluate, hold } = await sharedService(t, { ASSIZE_MAX_IN_FLIGHT: '4' });
  const [greedy, bystander] = keys;
  const held = await hold(greedy, 10, 10, 6);
  t.equal(held.refusals.length, 6, 'beyond its share it is refused');
  t.ok(held.refusals.every(({ status, headers }) => status === 503 && headers['retry-after'] === '1'));
  t.equal(await evaluate(greedy), 503);
  t.equal(await evaluate(bystander), 200, 'and nobody else is');
  t.equal((await app.call(null, 'GET', '/openapi.json')).status, 200);
  held.end();
  while ((await evaluate(greedy)) !== 200) await turn();
});

t.test(
  'bytes are charged when the headers arrive: bodies held open are refused beyond a share',
  async (t) => {
    const { keys, evaluate, hold } = await sharedService(t, { ASSIZE_MAX_IN_FLIGHT_MB: '4' });
    const [greedy, bystander] = keys;
    const held = await hold(greedy, 64, 1_048_576, 60);
    t.equal(await evaluate(greedy), 503, 'its next one too, however small');
    t.equal(await evaluate(bystander), 200);
    await hold(bystander, 1, 1_048_576, 0);
    t.equal(await evaluate(bystander), 200, 'large ones of others are admitted');
    t.equal(held.refusals.length, 60, 'four of 1 MB each were admitted, of 4 MB');
    held.end();
    while ((await evaluate(greedy)) !== 200) await turn();
  },
);

t.test('a body without a declared length is charged as it comes', async (t) => {
  const { keys, evaluate, send } = await sharedService(t, { ASSIZE_MAX_IN_FLIGHT_MB: '1' });
  const [greedy, bystander] = keys;
  const chunked = 'transfer-encoding: chunked';
  const small = await send(greedy, chunked, '20\r\n{"input":{"tool":"a","text":""}}\r\n0\r\n\r\n').response;
  t.equal(small.status, 200);
  const part = `90000\r\n${'x'.repeat(0x90000)}\r\n`;
  const refused = await Promise.race([1, 2].map(() => send(greedy, chunked, part).response));
  t.equal(refused.status, 503, 'the part that has no room ends its request');
  t.equal(refused.headers['retry-after'], '1');
  t.equal(await evaluate(bystander), 200);
});

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** The real service with two integrations, on a port of its own. */
async function sharedService(t: Test, env: Record<string, string>) {
  const app = await startApp(t, env);
  const keys = [(await app.integration()).key, (await app.integration()).key] as const;
  const { open } = await listen(t, app);
  const send = (key: string, length: string, body: string) => {
    const socket = open();
    const headers = `host: x\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\n${length}`;
    socket.write(`POST /v1/evaluate HTTP/1.1\r\n${headers}\r\n\r\n${body}`);
    return { socket, response: readResponse(socket) };
  };
  return {
    app,
    keys,
    send,
    evaluate: async (key: string) =>
      (await app.call(key, 'POST', '/v1/evaluate', { input: { tool: 'a' } })).status,
    /** Sends the headers and the first byte of some requests; resolves when so many of them are refused. */
    async hold(key: string, count: number, bytes: number, refused: number) {
      const refusals: RawResponse[] = [];
      let arrived = 0;
      const seen = () => void arrived++;
      app.http.server.on('request', seen);
      const sent = Array.from({ length: count }, () => send(key, `content-length: ${bytes}`, '{'));
      for (const { response } of sent) {
        response.then(
          (one) => refusals.push(one),
          () => undefined,
        );
      }
      while (arrived < count || refusals.length < refused) await turn();
      app.http.server.off('request', seen);
      await turn();
      return {
        refusals,
        end: () => {
          for (const { socket } of sent) socket.destroy();
        },
      };
    },
  };
}

t.test('a caller that leaves while its key is looked up holds nothing', async (t) => {
  const app = Fastify();
  t.teardown(() => app.close());
  const arrived = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  app.addHook('onRequest', async (_request, reply) => {
    arrived.resolve();
    await once(reply.raw, 'close');
    left.resolve();
  });
  const load = admitRequests(app, { requests: 1, bytes: 0, bodyBytes: 1_048_576, largeRequests: 2 });
  app.get('/', async () => 'done');
  await app.listen({ port: 0, host: '127.0.0.1' });
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n');
  await arrived.promise;
  socket.resetAndDestroy();
  await left.promise;
  await turn();
  t.equal(load().requests, 0);
});
