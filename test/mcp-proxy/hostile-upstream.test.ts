import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import t from 'tap';
import { longestStep } from '../helpers/longest-step.ts';
import { rule } from '../helpers/policies.ts';
import { until } from '../helpers/until.ts';
import type { StreamStep } from './stream-steps.ts';
import { echo, event, proxied, stream } from './upstream.ts';

// A server that wants to stop the service, and an agent that helps it.

const allows = rule('false', 'BLOCK');

t.test('no stream of a server keeps others waiting', async (t) => {
  const thread = new Worker(new URL('./stream-steps.ts', import.meta.url));
  const [steps] = (await once(thread, 'message')) as [StreamStep[]];
  t.equal(steps.length, 7);
  for (const { words, step } of steps) t.ok(step < 50, `${words}: ${step} ms`);
});

t.test('what a server is answered waits for it, and does not pile up', async (t) => {
  const wrong = event({ jsonrpc: '2.0', id: 1, method: 'vendor/run' });
  const { fetchFrom, upstream } = await proxied(t, allows, {
    respond: ({ body }, response) => {
      if (body.method !== undefined) stream(response).write(wrong.repeat(5_000));
    },
  });
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'read' } };
  const client = new AbortController();
  const given = fetchFrom('POST', call, {}, client.signal).catch(() => undefined);
  await until(
    () => upstream.got.length,
    (sent) => sent > 10,
  );
  await new Promise((done) => setTimeout(done, 1_000));
  t.ok(upstream.got.length < 30, `${upstream.got.length} requests`);
  client.abort();
  await given;
});

t.test('a body that nobody reads is not read for ever', async (t) => {
  let isClosed = false;
  const { send } = await proxied(t, allows, {
    respond: (got, response) => {
      if (got.body.method !== 'notifications/initialized') return echo(got, response);
      response.writeHead(200);
      const more = () =>
        void (response.write('x'.repeat(16_384)) ? setImmediate(more) : response.once('drain', more));
      response.once('close', () => {
        isClosed = true;
      });
      more();
    },
  });
  t.equal((await send({ jsonrpc: '2.0', method: 'notifications/initialized' })).status, 202);
  await until(() => isClosed, Boolean);
  t.pass('closed');
});

t.test('many headers over many arguments are compared at once', async (t) => {
  const { request } = await proxied(t, allows);
  const params = { name: 'read', arguments: { all: [...Array.from({ length: 300_000 }, () => 0), 'x'] } };
  const headers = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`mcp-param-${at}`, 'x']));
  const step = await longestStep(() => request(1, 'tools/call', params, headers));
  t.ok(step < 200, `${step} ms`);
});

t.test('no message keeps others waiting while it is read', async (t) => {
  const open = '['.repeat(1_900_000);
  const messages: [words: string, content: string][] = [
    ['deep lists', open + open.replaceAll('[', ']')],
    ['many objects', `[${Array.from({ length: 1_200_000 }, () => '{}').join(',')}]`],
    ['long numbers', `[${Array.from({ length: 150_000 }, () => '12345678901234567890').join(',')}]`],
    ['many names', `{${Array.from({ length: 250_000 }, (_, at) => `"k${at}":1`).join(',')}}`],
    ['lines', `1${'\n'.repeat(3_900_000)}`],
    ['ends of lines', `"${'\u2028'.repeat(1_300_000)}"`],
  ];
  const answerOf = (id: unknown, content: string): string =>
    `{"jsonrpc":"2.0","id":${id},"result":{"content":${content}}}`;
  // Probes of coverage take time.
  const mostMs = process.env.TEST_COVERAGE ? 100 : 50;
  for (const isStream of [false, true]) {
    // Written before it is timed: this process is the server, too.
    let ready: Buffer | null = null;
    const { call } = await proxied(t, allows, {
      respond: ({ body }, response) => {
        const text = ready ?? `data: ${answerOf(body.id, '[]')}\n\n`;
        if (isStream) return void stream(response).end(text);
        const whole = ready ?? answerOf(body.id, '[]');
        return void response.writeHead(200, { 'content-type': 'application/json' }).end(whole);
      },
    });
    for (const id of [1, 2]) await call(id, 'read');
    for (const [words, heavy] of messages) {
      if (isStream && words === 'lines') continue;
      const message = answerOf(7, heavy);
      ready = Buffer.from(isStream ? `data: ${message.replaceAll('\n', '\ndata: ')}\n\n` : message);
      let step = Number.POSITIVE_INFINITY;
      for (let tries = 0; tries < 3 && step >= mostMs; tries++) {
        let answer: unknown;
        const one = await longestStep(async () => {
          answer = (await call(7, 'read')).messages[0];
        });
        t.match(answer, { id: 7, error: { code: -32_603 } }, words);
        step = Math.min(step, one);
      }
      t.ok(step < mostMs, `${words}: ${step} ms`);
    }
  }
});
