import { once } from 'node:events';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import { adminKey, startApp } from '../../helpers/app.ts';
import { collectGarbage } from '../../helpers/garbage.ts';
import { heldIntegration } from '../../helpers/reviews.ts';

/** Lets everything that can go on go on; what still waits then waits for time or news. */
const settle = async () => {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
};

t.test('a long poll answers as soon as the review is decided', async (t) => {
  const app = await startApp(t);
  const { key, review, decide } = await heldIntegration(app);
  /** Milliseconds from the decision until two who wait have been answered. */
  async function answeredAfter(verb: 'approve' | 'reject', status: string): Promise<number> {
    const id = await review();
    const answered: string[] = [];
    const polls = [key, adminKey].map(async (by) => {
      const { body } = await app.call(by, 'GET', `/v1/reviews/${id.toUpperCase()}?wait=30`);
      answered.push(body.data.status);
    });
    await settle();
    t.strictSame(answered, [], 'it waits');
    const started = performance.now();
    await decide(id, verb);
    await Promise.all(polls);
    t.strictSame(answered, [status, status]);
    return performance.now() - started;
  }
  for (const [verb, status] of [
    ['approve', 'APPROVED'],
    ['reject', 'REJECTED'],
  ] as const) {
    let quickest = Number.POSITIVE_INFINITY;
    // Looking again takes a second each time; a busy machine takes it sometimes.
    for (let tries = 0; tries < 4 && quickest >= 900; tries++) {
      quickest = Math.min(quickest, await answeredAfter(verb, status));
    }
    t.ok(quickest < 900, 'told by the decision, not by looking again');
  }
});

t.test('a long poll notices the decision of another process', async (t) => {
  const here = await startApp(t);
  const there = await startApp(t, {}, { database: here.database, clock: here.clock });
  const { key, review } = await heldIntegration(here);
  const id = await review();
  const poll = here.call(key, 'GET', `/v1/reviews/${id}?wait=20`);
  await settle();
  await there.call(adminKey, 'POST', `/v1/reviews/${id}/approve`);
  t.equal((await poll).body.data.status, 'APPROVED');
});

t.test('a long poll answers what still stands when its time is over', async (t) => {
  collectGarbage(t);
  const app = await startApp(t);
  const { key, review } = await heldIntegration(app);
  const id = await review();
  const started = performance.now();
  const { status, body } = await app.call(key, 'GET', `/v1/reviews/${id}?wait=1`);
  t.equal(status, 200);
  t.equal(body.data.status, 'PENDING');
  t.ok(performance.now() - started >= 990, 'not before');
  t.ok(performance.now() - started < 10_000, 'and not much later');
});

t.test('a long poll notices that the review expired', async (t) => {
  const app = await startApp(t);
  const { key, review } = await heldIntegration(app);
  const id = await review();
  const poll = app.call(key, 'GET', `/v1/reviews/${id}?wait=20`);
  await settle();
  app.clock.advance(900_000);
  t.equal((await poll).body.data.status, 'EXPIRED');
});

t.test('an integration has a bounded number of long polls open, and takes none from another', async (t) => {
  const app = await startApp(t, { ASSIZE_MAX_WAITING: '2' });
  const { key, review, decide } = await heldIntegration(app);
  const other = await heldIntegration(app);
  const [id, otherId] = [await review(), await other.review()];
  const wait = (by: string, of: string) => app.call(by, 'GET', `/v1/reviews/${of}?wait=20`);
  const open = [wait(key, id), wait(key, id)];
  await settle();
  const refused = await wait(key, id);
  t.equal(refused.status, 429);
  t.equal(refused.headers['retry-after'], '5');
  t.strictSame(refused.body.errors, [
    { code: 'rate_limited', message: 'too many long polls and streams of this key are open' },
  ]);
  t.equal((await app.call(key, 'GET', `/v1/reviews/${id}`)).status, 200, 'reading is not waiting');
  const another = wait(other.key, otherId);
  await settle();
  await decide(id, 'approve');
  await other.decide(otherId, 'approve');
  t.strictSame(
    (await Promise.all([...open, another])).map(({ status }) => status),
    [200, 200, 200],
  );
  t.strictSame(
    (await Promise.all([wait(key, id), wait(key, id)])).map(({ status }) => status),
    [200, 200],
    'their places are free again',
  );
});

t.test('what is decided, or not waited for, is answered at once', async (t) => {
  const app = await startApp(t);
  const { key, review, decide } = await heldIntegration(app);
  const open = await review();
  const decided = await review({ targetKey: 'another' });
  await decide(decided, 'approve');
  const started = performance.now();
  for (const [id, query, status] of [
    [decided, '?wait=30', 'APPROVED'],
    [open, '?wait=0', 'PENDING'],
    [open, '', 'PENDING'],
  ] as const) {
    t.equal((await app.call(key, 'GET', `/v1/reviews/${id}${query}`)).body.data.status, status);
  }
  t.ok(performance.now() - started < 15_000, 'of 30 s');
});

t.test('a wait that is no number of seconds up to 30 is refused', async (t) => {
  const app = await startApp(t);
  const { key, review } = await heldIntegration(app);
  const id = await review();
  for (const wait of ['31', '-1', '1.5', 'x']) {
    const { status, body } = await app.call(key, 'GET', `/v1/reviews/${id}?wait=${wait}`);
    t.equal(status, 400, wait);
    t.match(body.errors, [{ code: 'invalid', path: '/wait' }]);
  }
  t.equal((await app.call(key, 'GET', `/v1/reviews/${id}?waits=1`)).status, 400);
});

t.test('closing the app lets everyone who waits go, with the review as it stands', async (t) => {
  const app = await startApp(t);
  const { key, review } = await heldIntegration(app);
  const id = await review();
  await app.http.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.http.server.address() as AddressInfo;
  const headers = { authorization: `Bearer ${key}` };
  const waiting = request({ port, path: `/v1/reviews/${id}?wait=30`, headers, agent: false }).end();
  const [response] = await Promise.all([
    once(waiting, 'response').then(([response]) => response),
    once(app.http.server, 'request')
      .then(settle)
      .then(() => app.http.close()),
  ]);
  t.equal(response.statusCode, 200);
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk;
  t.equal(JSON.parse(text).data.status, 'PENDING');
});
