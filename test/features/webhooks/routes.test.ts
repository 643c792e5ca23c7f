import { Webhook } from 'standardwebhooks';
import t from 'tap';
import { adminKey, startApp, type TestApp } from '../../helpers/app.ts';
import { openBeside } from '../../helpers/database-beside.ts';
import { heldIntegration } from '../../helpers/reviews.ts';
import { until } from '../../helpers/until.ts';
import { openReceiver, type Received } from './receiver.ts';

const key = (letter: string) => Buffer.alloc(32, letter).toString('base64');
const open = { ASSIZE_CALLBACK_ALLOW: '127.0.0.1', ASSIZE_SECRETS_KEY: key('a') };

async function webhook(app: TestApp, body: object) {
  const made = await app.call(adminKey, 'POST', '/v1/webhooks', { name: 'n', format: 'EVENTS', ...body });
  if (made.status !== 201) throw new Error(made.text);
  return made.body.data;
}
const listed = async (app: TestApp, query = '') =>
  (await app.call(adminKey, 'GET', `/v1/webhook-deliveries${query}`)).body.data;

t.test('an event is delivered as CloudEvents, signed so that a library verifies it', async (t) => {
  const app = await startApp(t, open);
  const receiver = await openReceiver(t);
  const before = await heldIntegration(app);
  const { id, secret, ...made } = await webhook(app, { url: receiver.url, types: ['review.*'] });
  t.match(made, { format: 'EVENTS', status: 'ACTIVE', url: receiver.url, to: [], types: ['review.*'] });
  app.services.webhookDeliveries.start();
  const reviewId = await before.review();
  const [first] = await receiver.take(1);
  t.equal(first?.headers['content-type'], 'application/cloudevents+json; charset=utf-8');
  const verifier = new Webhook(secret);
  const headers = first?.headers as Record<string, string>;
  // The clock of the test stands in 2030; a receiver's would be the same as the service's.
  t.throws(() => verifier.verify('{}', headers), 'another body is not verified');
  const event = JSON.parse(first?.body ?? '');
  t.equal(
    headers['webhook-signature'],
    verifier.sign(
      String(headers['webhook-id']),
      new Date(Number(headers['webhook-timestamp']) * 1_000),
      first?.body ?? '',
    ),
  );
  t.match(event, { specversion: '1.0', type: 'review.opened', subject: `reviews/${reviewId}` });
  t.equal(headers['webhook-id'], event.id);
  const [delivery] = await until(
    () => listed(app),
    ([one]) => one?.status === 'DELIVERED',
  );
  t.match(delivery, {
    webhookId: id,
    eventId: event.id,
    attemptCount: 1,
    lastStatusCode: 204,
    lastError: null,
  });
  t.equal((await listed(app)).length, 1, 'what came before, and what it does not want, was not sent');
});

t.test(
  'a failed delivery is tried again later, given up after a permanent refusal, and redelivered with its id',
  async (t) => {
    const app = await startApp(t, open);
    let status = 500;
    const receiver = await openReceiver(t, (response) => response.writeHead(status).end('secret words'));
    const held = await heldIntegration(app);
    const { id } = await webhook(app, { url: receiver.url, types: ['review.opened'] });
    app.services.webhookDeliveries.start();
    await held.review();
    const [waiting] = await until(
      () => listed(app),
      ([one]) => one?.attemptCount === 1,
    );
    t.match(waiting, { status: 'PENDING', lastStatusCode: 500, lastError: 'refused by the receiver: 500' });
    const waitMs = Date.parse(waiting.nextAttemptAt) - app.clock.now();
    t.ok(waitMs >= 4_000 && waitMs <= 6_000, `${waitMs} ms`);
    status = 410;
    app.clock.advance(6_000);
    const [dead] = await until(
      () => listed(app, '?status=DEAD'),
      (all) => all.length === 1,
    );
    t.match(dead, { attemptCount: 2, nextAttemptAt: null, lastStatusCode: 410 });
    t.equal((await app.call(adminKey, 'POST', `/v1/webhook-deliveries/${dead.id}/redeliver`)).status, 200);
    await receiver.take(3);
    await until(
      () => listed(app, '?status=DEAD'),
      (all) => all.length === 1,
    );
    status = 200;
    t.match((await app.call(adminKey, 'POST', `/v1/webhooks/${id}/redeliver`)).body.data, { count: 1 });
    const [done] = await until(
      () => listed(app, `?webhookId=${id}`),
      ([one]) => one?.status === 'DELIVERED',
    );
    t.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, 1, 'one id in all');
    t.equal(receiver.received[0]?.headers['webhook-id'], done.eventId);
    status = 500;
    await held.review({ input: { tool: 'pay', other: true } });
    const [pending] = await until(
      () => listed(app, '?status=PENDING'),
      ([one]) => one?.attemptCount === 1,
    );
    const again = await app.call(adminKey, 'POST', `/v1/webhook-deliveries/${pending.id}/redeliver`);
    t.match(again, { status: 409, body: { errors: [{ message: /already waiting for its next attempt/ }] } });
  },
);

t.test('a rotated secret signs beside the one before, until the overlap ends', async (t) => {
  const app = await startApp(t, open);
  const receiver = await openReceiver(t);
  const { id, secret } = await webhook(app, { url: receiver.url });
  const rotated = (await app.call(adminKey, 'POST', `/v1/webhooks/${id}/rotate-secret`, { overlapHours: 2 }))
    .body.data;
  t.not(rotated.secret, secret);
  t.equal(rotated.previousSecretUntil, '2030-01-01T02:00:00.000Z');
  const signatures = async () => {
    t.match((await app.call(adminKey, 'POST', `/v1/webhooks/${id}/test`)).body.data, {
      delivered: true,
      statusCode: 204,
    });
    const { headers, body } = receiver.received.at(-1) as Received;
    const at = new Date(Number(headers['webhook-timestamp']) * 1_000);
    const signed = (with_: string) => new Webhook(with_).sign(String(headers['webhook-id']), at, body);
    return {
      sent: headers['webhook-signature'],
      both: `${signed(rotated.secret)} ${signed(secret)}`,
      one: signed(rotated.secret),
    };
  };
  const during = await signatures();
  t.equal(during.sent, during.both);
  app.clock.advance(2 * 3_600_000);
  const after = await signatures();
  t.equal(after.sent, after.one);
  t.match(JSON.parse(receiver.received[0]?.body ?? ''), { type: 'webhook.ping' });
});

t.test(
  'secrets and addresses are encrypted in the database, and opened with a key before after a rotation of keys',
  async (t) => {
    const first = await startApp(t, open);
    const receiver = await openReceiver(t);
    const { id, secret } = await webhook(first, { url: `${receiver.url}?token=hidden-words` });
    const beside = await openBeside(t, first.database);
    const stored = async () => JSON.stringify(await beside.rows('SELECT * FROM webhooks'));
    const before = await stored();
    t.notMatch(before, /hidden-words/);
    t.notOk(before.includes(secret) || before.includes(secret.slice(6)));
    const at = { database: first.database, clock: first.clock };
    const both = await startApp(t, { ...open, ASSIZE_SECRETS_KEY: `${key('b')},${key('a')}` }, at);
    await both.services.webhooks.reseal(() => t.fail('each can be opened'));
    t.not(await stored(), before);
    const second = await startApp(t, { ...open, ASSIZE_SECRETS_KEY: key('b') }, at);
    t.match((await second.call(adminKey, 'POST', `/v1/webhooks/${id}/test`)).body.data, { delivered: true });
    const { headers, body } = receiver.received[0] as Received;
    const sentAt = new Date(Number(headers['webhook-timestamp']) * 1_000);
    t.equal(
      headers['webhook-signature'],
      new Webhook(secret).sign(String(headers['webhook-id']), sentAt, body),
    );
    const without = await startApp(t, { ...open, ASSIZE_SECRETS_KEY: key('a') }, at);
    const failed = await without.call(adminKey, 'POST', `/v1/webhooks/${id}/test`);
    t.equal(failed.status, 200);
    t.match(failed.body.data, { delivered: false, reason: /no key in ASSIZE_SECRETS_KEY/ });
    const listed = await without.call(adminKey, 'GET', '/v1/webhooks');
    t.match(listed, { status: 200, body: { data: [{ id, url: null, to: [] }] } }, 'it is still there');
    const other = await webhook(without, { url: receiver.url });
    const told: unknown[] = [];
    const newest = await startApp(t, { ...open, ASSIZE_SECRETS_KEY: `${key('c')},${key('a')}` }, at);
    await newest.services.webhooks.reseal((error) => told.push(error));
    t.match(
      told,
      [{ message: /no key in ASSIZE_SECRETS_KEY opens/ }],
      'one that no key opens holds up no other',
    );
    const last = await startApp(t, { ...open, ASSIZE_SECRETS_KEY: key('c') }, at);
    const sent = (one: string) => last.call(adminKey, 'POST', `/v1/webhooks/${one}/test`);
    t.match((await sent(other.id)).body.data, { delivered: true });
    await last.call(adminKey, 'PATCH', `/v1/webhooks/${id}`, { url: receiver.url });
    const renewed = await last.call(adminKey, 'POST', `/v1/webhooks/${id}/rotate-secret`, {
      overlapHours: 24,
    });
    t.equal(
      renewed.body.data.previousSecretUntil,
      new Date(at.clock.now()).toISOString(),
      'what no key opens signs no more',
    );
    t.match((await sent(id)).body.data, { delivered: true }, 'another address and secret mend it');
    const after = await startApp(t, { ...open, ASSIZE_SECRETS_KEY: `${key('d')},${key('c')}` }, at);
    at.clock.advance(1);
    await after.services.webhooks.reseal(() => t.fail('what was lost is no longer needed'));
    t.equal((await without.call(adminKey, 'DELETE', `/v1/webhooks/${id}`)).status, 200);
  },
);

t.test(
  'an address that is not public is refused at every attempt, unless the operator opened it',
  async (t) => {
    const app = await startApp(t);
    const receiver = await openReceiver(t);
    for (const url of [receiver.url, 'http://169.254.169.254/', 'http://[::1]:1/', 'http://localhost:1/']) {
      const { id } = await webhook(app, { url });
      const { body } = await app.call(adminKey, 'POST', `/v1/webhooks/${id}/test`);
      t.match(body.data, { delivered: false, reason: /^address refused: (loopback|metadata)$/ }, url);
    }
    t.equal(receiver.received.length, 0);
  },
);

t.test('filters: severity, integrations, and nothing while it is disabled', async (t) => {
  const app = await startApp(t, open);
  const receiver = await openReceiver(t);
  const [one, other] = [await heldIntegration(app), await heldIntegration(app)];
  const { id } = await webhook(app, {
    url: receiver.url,
    types: ['evaluation.held'],
    integrationIds: [one.id.toUpperCase()],
    minSeverity: 'HIGH',
  });
  await webhook(app, { url: receiver.url, types: ['evaluation.held'], minSeverity: 'CRITICAL' });
  app.services.webhookDeliveries.start();
  await other.review();
  await one.review();
  await receiver.take(1);
  await app.call(adminKey, 'PATCH', `/v1/webhooks/${id}`, { status: 'DISABLED' });
  await one.review({ input: { tool: 'pay', second: true } });
  await until(
    () =>
      app.store.webhooks.fanOut(
        app.clock.now(),
        () => false,
        () => '',
      ),
    (more) => !more,
  );
  await app.call(adminKey, 'PATCH', `/v1/webhooks/${id}`, { status: 'ACTIVE' });
  await one.review({ input: { tool: 'pay', third: true } });
  await receiver.take(2);
  t.strictSame(
    receiver.received.map(({ body }) => JSON.parse(body).data.integrationId),
    [one.id, one.id],
  );
  t.equal((await listed(app)).length, 2);
});

t.test('40 receivers that never answer do not hold up a live one', { timeout: 60_000 }, async (t) => {
  const app = await startApp(t, open);
  const held = await heldIntegration(app, '', { maxPendingReviewsInSession: 30 });
  const dead = await openReceiver(t, () => undefined);
  for (let count = 0; count < 40; count++) await webhook(app, { url: dead.url, types: ['review.opened'] });
  const live = await openReceiver(t);
  await webhook(app, { url: live.url, types: ['review.opened'] });
  app.services.webhookDeliveries.start();
  const delays: number[] = [];
  for (let count = 0; count < 30; count++) {
    const sentAt = performance.now();
    await held.review({ input: { tool: 'pay', count } });
    const all = await live.take(count + 1);
    delays.push((all[count]?.at ?? Number.POSITIVE_INFINITY) - sentAt);
  }
  t.ok(dead.received.length >= 40, `${dead.received.length} attempts hang`);
  // Milliseconds on an idle machine; behind a single one that never answers it would be 10 s.
  t.ok(Math.max(...delays) < 5_000, `the slowest took ${Math.round(Math.max(...delays))} ms`);
});

t.test('routes: what belongs together, what is shown, what is gone', async (t) => {
  const app = await startApp(t, open);
  const ask = (body: object) => app.call(adminKey, 'POST', '/v1/webhooks', { name: 'n', ...body });
  for (const [body, path] of [
    [{ format: 'EVENTS' }, '/url'],
    [{ format: 'EVENTS', url: 'https://u:p@example.com' }, '/url'],
    [{ format: 'EVENTS', url: 'ftp://example.com' }, '/url'],
    [{ format: 'SLACK', url: 'https://example.com', to: ['a@b'] }, '/to'],
    [{ format: 'EMAIL', to: ['a@b'] }, '/format'],
    [{ format: 'EVENTS', url: 'https://example.com', types: ['review.*', 'nothing.*'] }, '/types/1'],
  ] as const) {
    t.match(
      await ask(body),
      { status: 400, body: { errors: [{ code: 'invalid', path }] } },
      JSON.stringify(body),
    );
  }
  const slack = (await ask({ format: 'SLACK', url: 'https://hooks.slack.com/services/T/B/secret' })).body
    .data;
  t.match(slack, {
    url: 'https://hooks.slack.com/…',
    secret: null,
    types: ['review.opened', 'review.expiring', 'review.expired', 'review.cancelled'],
  });
  t.match(await app.call(adminKey, 'POST', `/v1/webhooks/${slack.id}/rotate-secret`), { status: 409 });
  const changed = await app.call(adminKey, 'PATCH', `/v1/webhooks/${slack.id}`, {
    name: 'm',
    minSeverity: 'HIGH',
  });
  t.match(changed.body.data, { name: 'm', minSeverity: 'HIGH', url: 'https://hooks.slack.com/…' });
  t.match((await app.call(adminKey, 'GET', '/v1/webhooks')).body, {
    data: [{ id: slack.id }],
    pagination: { total: 1 },
  });
  t.equal((await app.call(adminKey, 'DELETE', `/v1/webhooks/${slack.id}`)).status, 200);
  t.equal((await app.call(adminKey, 'GET', `/v1/webhooks/${slack.id}`)).status, 404);
  const audit = (await app.call(adminKey, 'GET', '/v1/audit?resource=webhooks')).body.data;
  t.ok(audit.length >= 4);
  t.notMatch(JSON.stringify(audit), /whsec_|services\/T/);
  for (let count = 0; count < 100; count++) await webhook(app, { url: 'https://example.com' });
  t.match(await ask({ format: 'EVENTS', url: 'https://example.com' }), { status: 409 });
});

t.test('a delivery that failed delays no later one, and `sequence` tells the order', async (t) => {
  const app = await startApp(t, open);
  let count = 0;
  const receiver = await openReceiver(t, (response) => response.writeHead(count++ === 0 ? 500 : 204).end());
  const held = await heldIntegration(app);
  await webhook(app, { url: receiver.url, types: ['review.opened'] });
  app.services.webhookDeliveries.start();
  await held.review();
  await receiver.take(1);
  await held.review({ input: { tool: 'pay', other: true } });
  await receiver.take(2);
  app.clock.advance(6_000);
  const places = (await receiver.take(3)).map(({ body }) => Number(JSON.parse(body).sequence));
  const [first = 0, second = 0, again] = places;
  t.ok(first < second);
  t.equal(again, first);
});
