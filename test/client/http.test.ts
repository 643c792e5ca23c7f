import t from 'tap';
import { AssizeError } from '../../src/client/error.ts';
import { createHttp, path } from '../../src/client/http.ts';
import type { ClientOptions } from '../../src/client/options.ts';
import { scriptedServer } from '../helpers/scripted-server.ts';

const apiKey = `asz_live_${'k'.repeat(43)}`;
const done = { status: 200, body: { success: true, statusCode: 200, data: { id: 1 } } };
const refused = (status: number, code: string, headers?: Record<string, string>) => ({
  status,
  ...(headers && { headers }),
  body: { success: false, statusCode: status, errors: [{ code, message: `it is ${code}` }] },
});
const quick = { apiKey, retryDelayMs: 1 };
const read = { method: 'GET', path: '/v1/reviews' } as const;
const countsOnce = { method: 'POST', path: '/v1/evaluate', json: {}, once: true } as const;
const counts = { method: 'POST', path: '/v1/reviews/x/approve', json: {} } as const;

/** What a call rejects with. */
const failure = async (call: Promise<unknown>): Promise<AssizeError> => {
  const error: unknown = await call.then(
    () => new Error('it did not fail'),
    (error) => error,
  );
  if (error instanceof AssizeError) return error;
  throw error;
};

t.test('sends what was given, and a content type only with a body', async (t) => {
  const { url, seen } = await scriptedServer(t, done);
  const http = createHttp({ ...quick, url: `${url}/base/v1/`, headers: { 'x-tenant': 'a' } });
  await http.send({ ...read, query: { page: 2, status: undefined, redact: true } });
  await http.send({
    method: 'PUT',
    path: path`/v1/policies/${'a/b'}`,
    text: { mediaType: 'application/yaml', content: 'a: 1' },
  });
  t.match(seen, [
    {
      method: 'GET',
      url: '/base/v1/reviews?page=2&redact=true',
      headers: {
        authorization: `Bearer ${apiKey}`,
        accept: 'application/json',
        'x-tenant': 'a',
        'content-type': undefined,
        'idempotency-key': undefined,
      },
      body: '',
    },
    {
      method: 'PUT',
      url: '/base/v1/policies/a%2Fb',
      headers: { 'content-type': 'application/yaml' },
      body: 'a: 1',
    },
  ]);
});

t.test('an id that would name another path is refused before anything is sent', async (t) => {
  for (const id of ['', '.', '..']) t.throws(() => path`/v1/reviews/${id}`, TypeError);
});

t.test('settings that could never work are refused at once, and the key is not quoted', async (t) => {
  const refusedOptions: Partial<ClientOptions>[] = [
    { url: 'assize.example.com' },
    { url: 'ftp://assize.example.com' },
    { url: 'http://user:word@assize.example.com' },
    { url: 'http://assize.example.com/?key=1' },
    { apiKey: '' },
    { apiKey: 'asz_live_secret\n' },
    { timeoutMs: 0 },
    { timeoutMs: Number.NaN },
    { retries: -1 },
  ];
  for (const options of refusedOptions) {
    const wrong = () => createHttp({ url: 'http://127.0.0.1', apiKey, ...options });
    t.throws(wrong, TypeError, JSON.stringify(options));
    t.throws(wrong, { message: /^(?!.*secret)/s });
  }
});

t.test('repeats what reads and what counts once, with the same idempotency key', async (t) => {
  for (const status of [408, 429, 502, 503, 504]) {
    for (const request of [read, countsOnce]) {
      const { url, seen } = await scriptedServer(
        t,
        refused(status, 'unavailable'),
        { status, body: '<html>' },
        done,
      );
      t.match(await createHttp({ ...quick, url }).send(request), { status: 200, data: { id: 1 } });
      t.equal(seen.length, 3);
      t.equal(new Set(seen.map(({ headers }) => headers['idempotency-key'])).size, 1);
      t.type(seen[0]?.headers['idempotency-key'], request === countsOnce ? 'string' : 'undefined');
    }
  }
});

t.test('repeats when the connection breaks off', async (t) => {
  const { url, seen } = await scriptedServer(t, (response) => response.destroy(), done);
  t.match(await createHttp({ ...quick, url }).send(countsOnce), { data: { id: 1 } });
  t.equal(seen.length, 2);
});

t.test('never repeats what might be done twice, unless it was refused unread', async (t) => {
  const lost = await scriptedServer(t, (response) => response.destroy());
  t.match(await failure(createHttp({ ...quick, url: lost.url }).send(counts)), {
    code: 'network',
    status: null,
  });
  const unsure = await scriptedServer(t, refused(503, 'unavailable'));
  t.match(await failure(createHttp({ ...quick, url: unsure.url }).send(counts)), { code: 'unavailable' });
  t.equal(lost.seen.length + unsure.seen.length, 2);
  const limited = await scriptedServer(t, refused(429, 'rate_limited'), done);
  t.match(await createHttp({ ...quick, url: limited.url }).send(counts), { data: { id: 1 } });
});

t.test('never repeats what would fail again', async (t) => {
  for (const [status, code] of [
    [400, 'invalid'],
    [401, 'unauthenticated'],
    [403, 'forbidden'],
    [404, 'not_found'],
    [409, 'conflict'],
    [413, 'too_large'],
    [500, 'internal'],
  ] as const) {
    const { url, seen } = await scriptedServer(t, refused(status, code, { 'x-request-id': 'r-1' }));
    t.match(await failure(createHttp({ ...quick, url }).send(countsOnce)), {
      name: 'AssizeError',
      message: `it is ${code}`,
      code,
      status,
      errors: [{ code, message: `it is ${code}` }],
      requestId: 'r-1',
    });
    t.equal(seen.length, 1);
  }
});

t.test('waits as long as Retry-After asks, and not at all when that is long', async (t) => {
  const { url } = await scriptedServer(t, refused(503, 'unavailable', { 'retry-after': '1' }), done);
  const from = performance.now();
  await createHttp({ ...quick, url }).send(read);
  t.ok(performance.now() - from >= 1_000);
  for (const header of ['60', new Date(Date.now() + 60_000).toUTCString()]) {
    const busy = await scriptedServer(t, refused(429, 'rate_limited', { 'retry-after': header }));
    const { retryAfterSeconds } = await failure(createHttp({ ...quick, url: busy.url }).send(read));
    t.ok(retryAfterSeconds !== null && retryAfterSeconds > 50 && retryAfterSeconds <= 60);
    t.equal(busy.seen.length, 1);
  }
});

t.test('gives up after the retries that were asked for', async (t) => {
  for (const retries of [0, 3]) {
    const { url, seen } = await scriptedServer(t, refused(503, 'unavailable'));
    await failure(createHttp({ ...quick, url }).send(read, { retries }));
    t.equal(seen.length, retries + 1);
  }
});

t.test('an answer that does not come in time is a timeout, its body included', async (t) => {
  for (const stall of [
    () => undefined,
    (response: { writeHead(status: number): void; write(text: string): void }) => {
      response.writeHead(200);
      response.write('{"success":true');
    },
  ]) {
    const { url, seen } = await scriptedServer(t, stall);
    const http = createHttp({ ...quick, url, timeoutMs: 250, retries: 1 });
    t.match(await failure(http.send(read)), { code: 'timeout', status: null });
    t.equal(seen.length, 2);
  }
});

t.test("the caller's signal ends the call with its own reason, in an attempt or between two", async (t) => {
  const reason = new Error('the user left');
  const stalled = await scriptedServer(t, () => abort.abort(reason));
  const abort = new AbortController();
  await t.rejects(createHttp({ ...quick, url: stalled.url }).send(read, { signal: abort.signal }), reason);

  const busy = await scriptedServer(t, refused(503, 'unavailable', { 'retry-after': '9' }));
  const signal = AbortSignal.timeout(300);
  await t.rejects(createHttp({ ...quick, url: busy.url }).send(read, { signal }), { name: 'TimeoutError' });
  t.equal(busy.seen.length, 1);

  await t.rejects(
    createHttp({ ...quick, url: busy.url }).send(read, { signal: AbortSignal.abort(reason) }),
    reason,
  );
  t.equal(busy.seen.length, 1, 'nothing was sent');
});

t.test('what is no answer of this service is an error, whatever its status', async (t) => {
  for (const script of [
    { status: 200, body: '<html>welcome</html>' },
    { status: 200, body: { enforcementAction: 'ALLOW' } },
    { status: 200, body: 'null' },
    { status: 302, headers: { location: '/elsewhere' }, body: done.body },
  ]) {
    const { url, seen } = await scriptedServer(t, script);
    t.match(await failure(createHttp({ ...quick, url }).send(read)), {
      code: 'unexpected_response',
      status: script.status,
    });
    t.equal(seen.length, 1);
  }
});
