import type { RequestListener } from 'node:http';
import { Webhook } from 'standardwebhooks';
import t, { type Test } from 'tap';
import { adminKey, startApp, type TestApp } from '../../helpers/app.ts';
import { openBeside } from '../../helpers/database-beside.ts';
import { heldIntegration } from '../../helpers/reviews.ts';
import { startReceiver } from './receiver.ts';

const allowed = { ASSIZE_CALLBACK_ALLOW: '127.0.0.1' };
const ok: RequestListener = (_, response) => void response.writeHead(204).end();
const refuse: RequestListener = (_, response) => void response.writeHead(500).end('private words');

const receive = async (t: Test, handle = ok) => {
  const receiver = await startReceiver((request, response) => handle(request, response));
  t.teardown(() => receiver.close());
  return { ...receiver, url: `http://127.0.0.1:${receiver.port}/hook?a=1` };
};
/** Runs the event loop until it is so; the test's own timeout is the limit. */
async function until(happened: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await happened())) await new Promise((resolve) => setImmediate(resolve));
}
const settle = async () => {
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
};
const callbackOf = async (app: TestApp, id: string) =>
  (await app.call(adminKey, 'GET', `/v1/reviews/${id}`)).body.data.callback;
const stop = async (app: TestApp) => {
  await app.http.close();
  await app.store.close();
};

t.test('a decision is sent at once, signed so that the receiver can verify it', async (t) => {
  const app = await startApp(t, allowed);
  const receiver = await receive(t);
  app.services.deliveries.start();
  const { webhookSecret, review, decide } = await heldIntegration(app);
  const id = await review({ callbackUrl: receiver.url });
  t.equal((await callbackOf(app, id)).status, 'WAITING', 'nothing is sent before the decision');
  const decided = await decide(id, 'approve');
  t.match(decided.body.data.callback, { status: 'PENDING', attemptCount: 0, lastError: null });
  await until(async () => (await callbackOf(app, id)).status === 'DELIVERED');
  t.strictSame(await callbackOf(app, id), {
    status: 'DELIVERED',
    url: receiver.url,
    attemptCount: 1,
    nextAttemptAt: null,
    deliveredAt: '2030-01-01T00:00:00.000Z',
    lastError: null,
  });
  t.equal(receiver.requests.length, 1);
  const [request] = receiver.requests;
  t.match(request, { method: 'POST', path: '/hook?a=1' });
  const headers = request?.headers ?? {};
  t.equal(headers['webhook-timestamp'], String(Date.parse('2030-01-01T00:00:00Z') / 1_000));
  // The package refuses times far from its own clock, and the app's clock is moved: the signature is compared instead.
  const at = new Date(app.clock.now());
  const expected = new Webhook(webhookSecret).sign(headers['webhook-id'] ?? '', at, request?.body ?? '');
  t.equal(headers['webhook-signature'], expected);
});

t.test('what is sent verifies with the package itself', async (t) => {
  const clock = { now: Date.now, advance: () => undefined };
  const app = await startApp(t, allowed, { clock });
  const receiver = await receive(t);
  app.services.deliveries.start();
  const { webhookSecret, review, decide } = await heldIntegration(app);
  const id = await review({ callbackUrl: receiver.url });
  await decide(id, 'reject', { comment: 'no' });
  await until(() => receiver.requests.length === 1);
  const { body = '', headers = {} } = receiver.requests[0] ?? {};
  t.match(new Webhook(webhookSecret).verify(body, headers), {
    type: 'review.decided',
    data: { reviewRequestId: id, status: 'REJECTED', comment: 'no' },
  });
  const { webhookSecret: foreign } = await app.integration();
  t.throws(() => new Webhook(foreign).verify(body, headers), 'not with the secret of another integration');
});

t.test('the callback carries the decision and no content', async (t) => {
  const app = await startApp(t, allowed);
  const receiver = await receive(t);
  app.services.deliveries.start();
  const { sessionId, evaluate, decide } = await heldIntegration(app);
  const held = await evaluate({
    input: { tool: 'pay', note: 'very-private-words' },
    targetKey: 'private-target',
    targetMetadata: { private: 'metadata' },
    correlationId: 'c-1',
    callbackUrl: receiver.url,
  });
  app.clock.advance(5);
  await decide(held.reviewRequestId, 'approve', { comment: 'fine' });
  await until(() => receiver.requests.length === 1);
  t.strictSame(JSON.parse(receiver.requests[0]?.body ?? ''), {
    type: 'review.decided',
    timestamp: '2030-01-01T00:00:00.005Z',
    data: {
      reviewRequestId: held.reviewRequestId,
      status: 'APPROVED',
      comment: 'fine',
      decidedAt: '2030-01-01T00:00:00.005Z',
      expiresAt: '2030-01-01T00:15:00.005Z',
      evaluationRunId: held.evaluationRunId,
      sessionId,
      correlationId: 'c-1',
    },
  });
});

t.test('a new signing secret signs what is still on its way', async (t) => {
  const app = await startApp(t, allowed);
  const receiver = await receive(t);
  const { id: integrationId, review, decide } = await heldIntegration(app);
  await decide(await review({ callbackUrl: receiver.url }), 'approve');
  const { body } = await app.call(
    adminKey,
    'POST',
    `/v1/integrations/${integrationId}/regenerate-webhook-secret`,
  );
  app.services.deliveries.start();
  await until(() => receiver.requests.length === 1);
  const { body: sent = '', headers = {} } = receiver.requests[0] ?? {};
  const at = new Date(app.clock.now());
  const expected = new Webhook(body.data.webhookSecret).sign(headers['webhook-id'] ?? '', at, sent);
  t.equal(headers['webhook-signature'], expected);
});

t.test('a decision outlives the process: the next one delivers it, once', async (t) => {
  const first = await startApp(t, allowed);
  const receiver = await receive(t);
  const { review, decide } = await heldIntegration(first);
  const id = await review({ callbackUrl: receiver.url });
  await decide(id, 'approve');
  await stop(first);
  t.equal(receiver.requests.length, 0);
  const at = { database: first.database, clock: first.clock };
  const second = await startApp(t, allowed, at);
  second.services.deliveries.start();
  await until(async () => (await callbackOf(second, id)).status === 'DELIVERED');
  await stop(second);
  const third = await startApp(t, allowed, at);
  third.services.deliveries.start();
  third.clock.advance(7 * 24 * 3_600_000);
  third.services.deliveries.wake();
  await settle();
  t.equal(receiver.requests.length, 1);
});

t.test(
  'a stop in the middle of an attempt does not count it; it is made again with the same id',
  async (t) => {
    const first = await startApp(t, allowed);
    let handle: RequestListener = () => undefined;
    const receiver = await receive(t, (request, response) => handle(request, response));
    first.services.deliveries.start();
    const { review, decide } = await heldIntegration(first);
    const id = await review({ callbackUrl: receiver.url });
    await decide(id, 'approve');
    await until(() => receiver.requests.length === 1);
    await stop(first);
    handle = ok;
    const second = await startApp(t, allowed, { database: first.database, clock: first.clock });
    t.match(await callbackOf(second, id), { status: 'PENDING', attemptCount: 0, lastError: null });
    second.services.deliveries.start();
    await until(async () => (await callbackOf(second, id)).status === 'DELIVERED');
    t.equal(receiver.requests.length, 2);
    const [one, two] = receiver.requests;
    t.equal(one?.headers['webhook-id'], two?.headers['webhook-id'], 'so the receiver can drop the repeat');
    t.equal(one?.body, two?.body);
  },
);

/** Milliseconds between one attempt and the next, before they are stretched or shortened by up to a fifth. */
const waits = [5_000, 30_000, 120_000, 600_000, 3_600_000, 21_600_000, 43_200_000];

t.test('a failing receiver is tried again after growing waits, and given up after the last', async (t) => {
  const app = await startApp(t, allowed);
  const receiver = await receive(t, refuse);
  const { deliveries } = app.services;
  deliveries.start();
  const { review, decide } = await heldIntegration(app);
  const id = await review({ callbackUrl: receiver.url });
  await decide(id, 'approve');
  for (const [place, wait] of waits.entries()) {
    await until(async () => (await callbackOf(app, id)).attemptCount === place + 1);
    const callback = await callbackOf(app, id);
    t.match(callback, { status: 'PENDING', lastError: 'refused by the receiver: 500', deliveredAt: null });
    const dueIn = Date.parse(callback.nextAttemptAt) - app.clock.now();
    t.ok(dueIn >= wait * 0.8 && dueIn <= wait * 1.2, `${dueIn} after attempt ${place + 1}`);
    app.clock.advance(dueIn - 1);
    deliveries.wake();
    await settle();
    t.equal(receiver.requests.length, place + 1, 'not a millisecond too early');
    app.clock.advance(1);
    deliveries.wake();
  }
  await until(async () => (await callbackOf(app, id)).status === 'FAILED');
  t.match(await callbackOf(app, id), {
    attemptCount: 8,
    nextAttemptAt: null,
    deliveredAt: null,
    lastError: 'refused by the receiver: 500',
  });
  app.clock.advance(365 * 24 * 3_600_000);
  deliveries.wake();
  await settle();
  t.equal(receiver.requests.length, 8);
  t.equal(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size, 1);
  t.notMatch(app.log.join(''), /private words/);
});

t.test('a receiver that comes back is delivered to, and the error is forgotten', async (t) => {
  const app = await startApp(t, allowed);
  let handle = refuse;
  const receiver = await receive(t, (request, response) => handle(request, response));
  app.services.deliveries.start();
  const { review, decide } = await heldIntegration(app);
  const id = await review({ callbackUrl: receiver.url });
  await decide(id, 'approve');
  await until(async () => (await callbackOf(app, id)).attemptCount === 1);
  handle = ok;
  app.clock.advance(6_000);
  app.services.deliveries.wake();
  await until(async () => (await callbackOf(app, id)).status === 'DELIVERED');
  t.match(await callbackOf(app, id), { attemptCount: 2, lastError: null });
});

t.test('a receiver that is gone for good is given up at once', async (t) => {
  const app = await startApp(t, allowed);
  const receiver = await receive(t, (_, response) => void response.writeHead(410).end());
  app.services.deliveries.start();
  const { review, decide } = await heldIntegration(app);
  const id = await review({ callbackUrl: receiver.url });
  await decide(id, 'approve');
  await until(async () => (await callbackOf(app, id)).status === 'FAILED');
  t.match(await callbackOf(app, id), { attemptCount: 1, lastError: 'refused by the receiver: 410' });
});

t.test(
  'an address that is not public is not dialled unless the operator allows it, and the review says why',
  async (t) => {
    const app = await startApp(t);
    const receiver = await receive(t);
    app.services.deliveries.start();
    const { review, decide } = await heldIntegration(app);
    const urls = [
      receiver.url,
      `http://localhost:${receiver.port}/`,
      `http://[::ffff:127.0.0.1]:${receiver.port}/`,
      `http://2130706433:${receiver.port}/`,
      'http://169.254.169.254/latest/meta-data/',
      'http://10.0.0.1/',
    ];
    for (const url of urls) {
      const id = await review({ callbackUrl: url });
      await decide(id, 'approve');
      await until(async () => (await callbackOf(app, id)).attemptCount > 0);
      const { lastError, status } = await callbackOf(app, id);
      t.match(lastError, /address|not allowed/, url);
      t.not(status, 'DELIVERED');
    }
    t.equal(receiver.connections.length, 0);
  },
);

t.test(
  'two processes on the same data send a callback once, and one that died with it loses none',
  async (t) => {
    const here = await startApp(t, allowed);
    const there = await startApp(t, allowed, { database: here.database, clock: here.clock });
    const receiver = await receive(t, refuse);
    const { review, decide } = await heldIntegration(here);
    const id = await review({ callbackUrl: receiver.url });
    await decide(id, 'approve');
    const both = [here.services.deliveries, there.services.deliveries];
    for (const deliveries of both) deliveries.start();
    for (let attempts = 1; attempts <= 3; attempts++) {
      await until(async () => (await callbackOf(here, id)).attemptCount === attempts);
      await settle();
      t.equal(receiver.requests.length, attempts);
      here.clock.advance(Date.parse((await callbackOf(here, id)).nextAttemptAt) - here.clock.now());
      if (attempts < 3) for (const deliveries of both) deliveries.wake();
    }
    const dead = await here.store.callbacks.claimDue(here.clock.now(), 8, here.clock.now() + 30_000);
    t.equal(dead.length, 1);
    here.clock.advance(30_000);
    there.services.deliveries.wake();
    await until(() => receiver.requests.length === 4);
  },
);

t.test('many decisions are all delivered while a silent receiver is waited for', async (t) => {
  const app = await startApp(t, allowed);
  const receiver = await receive(t);
  const silent = await receive(t, () => undefined);
  const { review, decide } = await heldIntegration(app);
  const unanswered = await review({ input: { tool: 'pay' }, callbackUrl: silent.url });
  await decide(unanswered, 'approve');
  for (let n = 0; n < 20; n++) {
    await decide(await review({ input: { tool: 'pay', n }, callbackUrl: receiver.url }), 'approve');
  }
  app.services.deliveries.start();
  await until(() => receiver.requests.length === 20);
  const ids = receiver.requests.map(({ body }) => JSON.parse(body).data.reviewRequestId);
  t.equal(new Set(ids).size, 20);
  t.equal(silent.requests.length, 1, 'it was asked first');
  t.match(
    await callbackOf(app, unanswered),
    { status: 'PENDING', attemptCount: 0 },
    'and is still waited for',
  );
});

t.test('dead receivers of one integration delay no callback of another', async (t) => {
  const app = await startApp(t, allowed);
  const dead = await receive(t, () => undefined);
  const live = await receive(t);
  const [one, other] = [await heldIntegration(app), await heldIntegration(app)];
  for (let count = 0; count < 40; count++) {
    await one.decide(await one.review({ callbackUrl: dead.url, targetKey: `account-${count}` }), 'approve');
  }
  // Only now: an attempt is given up after ten seconds, in which a busy machine does not make forty reviews.
  app.services.deliveries.start();
  await until(() => dead.requests.length === 16);
  for (let count = 1; count <= 3; count++) {
    await other.decide(
      await other.review({ callbackUrl: live.url, targetKey: `account-${count}` }),
      'approve',
    );
    await until(() => live.requests.length === count);
  }
  await settle();
  t.equal(dead.requests.length, 16, 'its share, until one of them is given up');
});

t.test('without a callbackUrl nothing is sent and the review has no callback', async (t) => {
  const app = await startApp(t, allowed);
  app.services.deliveries.start();
  const { review, decide } = await heldIntegration(app);
  const id = await review();
  t.equal((await decide(id, 'approve')).body.data.callback, null);
  t.equal(await app.store.callbacks.findNextAttemptAt(), null);
});

t.test('a callbackUrl that is none, or names a user, is refused before anything is recorded', async (t) => {
  const app = await startApp(t);
  const { key, sessionId } = await heldIntegration(app);
  for (const callbackUrl of ['hooks.example', 'ftp://hooks.example/', 'https://a:b@hooks.example/', '']) {
    const { status, body } = await app.call(key, 'POST', '/v1/evaluate', {
      input: { tool: 'pay' },
      sessionId,
      callbackUrl,
    });
    t.equal(status, 400, callbackUrl);
    t.match(body.errors, [{ code: 'invalid', path: '/callbackUrl' }]);
  }
  t.equal((await app.call(adminKey, 'GET', '/v1/reviews')).body.pagination.total, 0);
});

t.test('a store that fails is told of, and the work goes on at the next look', async (t) => {
  const app = await startApp(t, allowed);
  const receiver = await receive(t);
  const { review, decide } = await heldIntegration(app);
  const id = await review({ callbackUrl: receiver.url });
  await decide(id, 'approve');
  const beside = await openBeside(t, app.database);
  await beside.exec('ALTER TABLE callbacks RENAME TO lost');
  app.services.deliveries.start();
  await until(() =>
    app.log.some((line) => /no such table: callbacks|relation .*callbacks.* does not exist/.test(line)),
  );
  t.equal(receiver.requests.length, 0);
  await beside.exec('ALTER TABLE lost RENAME TO callbacks');
  await until(async () => (await callbackOf(app, id)).status === 'DELIVERED');
});
