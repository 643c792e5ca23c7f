import { connect } from 'node:net';
import Fastify from 'fastify';
import t from 'tap';
import { answerErrors } from '../../../src/http/plugins/errors.ts';
import { shedOverload } from '../../../src/http/plugins/overload.ts';

const refusal = {
  success: false,
  statusCode: 503,
  errors: [{ code: 'unavailable', message: 'the service is overloaded' }],
};

/** A service whose one slow route answers when told to. */
function slowService(most: number, logger?: { stream: { write(line: string): void } }) {
  const app = Fastify(logger ? { logger } : {});
  const waiting: (() => void)[] = [];
  let entered = () => {};
  answerErrors(app);
  shedOverload(app, most);
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
      const answer = app.inject('/slow').then(({ statusCode }) => statusCode);
      await arrived;
      return { answer };
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
  t.equal(await first.answer, 200, 'what was accepted is finished');
  const third = await begin();
  t.equal((await app.inject('/slow')).statusCode, 503, 'there was room for one');
  finish();
  finish();
  t.strictSame(await Promise.all([second.answer, third.answer]), [200, 200]);
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
      accepted = held.answer.then((statusCode) => [statusCode, refused]);
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
  t.equal(await held.answer, 200);
  t.equal((await app.inject('/fails')).statusCode, 500);
});

t.test('0 is no limit', async (t) => {
  const { begin, finish } = slowService(0);
  const all = [await begin(), await begin(), await begin()];
  for (const _ of all) finish();
  t.strictSame(await Promise.all(all.map((one) => one.answer)), [200, 200, 200]);
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
  await first.answer;
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
