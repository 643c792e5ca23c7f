import { randomBytes } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { Webhook } from 'standardwebhooks';
import t from 'tap';
import {
  type Callback,
  type CallbackSenderOptions,
  createCallbackSender,
} from '../../../src/services/callbacks/callback-sender.ts';
import { startReceiver, startSilence } from './receiver.ts';

type Tap = { teardown(close: () => Promise<void>): void };

const secret = `whsec_${randomBytes(32).toString('base64')}`;
const body = '{"type":"review.decided","note":"Zürich ✓"}';

const receive = async (t: Tap, handle: RequestListener = (_, response) => response.end()) => {
  const receiver = await startReceiver(handle);
  t.teardown(() => receiver.close());
  return receiver;
};

const openSender = (t: Tap, options: Partial<CallbackSenderOptions> = {}) => {
  const sender = createCallbackSender({ allow: ['127.0.0.1'], now: Date.now, ...options });
  t.teardown(() => sender.close());
  const send = (url: string, callback: Partial<Callback> = {}) =>
    sender.send({ id: 'msg_1', url, secrets: [secret], body, ...callback });
  return { send, close: () => sender.close() };
};

t.test('delivers what the receiver can verify with the shared secret', async (t) => {
  const receiver = await receive(t, (_, response) => response.writeHead(202).end('thanks'));
  const { send } = openSender(t);
  const delivery = await send(`http://127.0.0.1:${receiver.port}/hook?a=1#part`);
  t.same(delivery, { delivered: true, status: 202 });
  const [request] = receiver.requests;
  t.match(request, { method: 'POST', path: '/hook?a=1', body });
  t.match(request?.headers, {
    'content-type': 'application/json',
    'user-agent': 'assize',
    'webhook-id': 'msg_1',
  });
  const headers = request?.headers ?? {};
  t.same(new Webhook(secret).verify(body, headers), JSON.parse(body));
  t.throws(() => new Webhook(secret).verify(`${body} `, headers), 'not another body');
  t.throws(() => new Webhook(`whsec_${btoa('x'.repeat(32))}`).verify(body, headers), 'not another secret');
  t.throws(() => new Webhook(secret).verify(body, { ...headers, 'webhook-id': 'msg_2' }), 'not another id');
});

t.test('signs with the time of the clock it was given', async (t) => {
  const receiver = await receive(t);
  const { send } = openSender(t, { now: () => 1_700_000_000_999 });
  await send(`http://127.0.0.1:${receiver.port}/`);
  const headers = receiver.requests[0]?.headers ?? {};
  t.equal(headers['webhook-timestamp'], '1700000000');
  t.equal(headers['webhook-signature'], new Webhook(secret).sign('msg_1', new Date(1_700_000_000_000), body));
});

const statuses: readonly (readonly [number, string, boolean])[] = [
  [301, 'redirects are not followed: 301', false],
  [302, 'redirects are not followed: 302', false],
  [307, 'redirects are not followed: 307', false],
  [308, 'redirects are not followed: 308', false],
  [400, 'refused by the receiver: 400', false],
  [404, 'refused by the receiver: 404', false],
  [410, 'refused by the receiver: 410', true],
  [429, 'refused by the receiver: 429', false],
  [500, 'refused by the receiver: 500', false],
  [503, 'refused by the receiver: 503', false],
];

t.test('counts every answer but a 2xx as failed, and follows no redirect', async (t) => {
  const elsewhere = await receive(t);
  const { send } = openSender(t);
  for (const [status, reason, permanent] of statuses) {
    const location = `http://127.0.0.1:${elsewhere.port}/`;
    const receiver = await receive(t, (_, response) =>
      response.writeHead(status, { location }).end('private words'),
    );
    const delivery = await send(`http://127.0.0.1:${receiver.port}/`);
    t.same(delivery, { delivered: false, status, reason, permanent });
    t.equal(receiver.requests.length, 1);
  }
  t.equal(elsewhere.connections.length, 0);
});

const unusable = [
  '',
  'hooks.example/x',
  'http://[fe80::1%25eth0]/',
  'ftp://127.0.0.1/',
  'file:///etc/passwd',
  'http://user@127.0.0.1/',
  'https://:word@127.0.0.1/',
];

t.test('gives up at once on a URL that can never be used', async (t) => {
  const { send } = openSender(t);
  const reason =
    'the URL must be an http or https URL without user name and password, tabs and ends of lines';
  for (const url of unusable) {
    t.same(await send(url), { delivered: false, reason, permanent: true }, url);
  }
});

t.test('signs with no secret that the receiver would read otherwise', async (t) => {
  const receiver = await receive(t);
  const { send } = openSender(t);
  for (const odd of [
    '',
    'whsec_',
    'whsec_abc',
    'whsec_a-b_',
    'whsec_abcd=',
    btoa('k'.repeat(24)),
    `${secret}\n`,
  ]) {
    const delivery = await send(`http://127.0.0.1:${receiver.port}/`, { secrets: [odd] });
    t.same(delivery, { delivered: false, reason: 'the signing secret is malformed', permanent: true }, odd);
  }
  t.equal(receiver.connections.length, 0);
});

t.test('says which way a connection failed, and nothing the receiver sent', async (t) => {
  const broken = await receive(t, (_, response) => response.socket?.end('private words\r\n\r\n'));
  const gone = await receive(t);
  await gone.close();
  const { send } = openSender(t);
  t.match(await send(`http://127.0.0.1:${gone.port}/`), {
    reason: 'connection failed: ECONNREFUSED',
    permanent: false,
  });
  t.match(await send(`http://127.0.0.1:${broken.port}/`), {
    reason: 'connection failed: HPE_INVALID_CONSTANT',
    permanent: false,
  });
  t.match(await send(`http://127.0.0.1:${gone.port}/`, { id: 'a\nb' }), {
    reason: 'connection failed: ERR_INVALID_CHAR',
  });
});

t.test('stops waiting in time, whatever the receiver is slow at', async (t) => {
  const { send } = openSender(t, { timeoutMs: 150 });
  const late = { delivered: false, reason: 'no answer in time', permanent: false };
  const silence = await startSilence();
  t.teardown(() => silence.close());
  t.same(await send(`https://127.0.0.1:${silence.port}/`), late, 'a handshake');
  const mute = await receive(t, () => undefined);
  t.same(await send(`http://127.0.0.1:${mute.port}/`), late, 'a status');
  const lost = openSender(t, { timeoutMs: 150, lookup: () => undefined });
  t.same(await lost.send('http://hooks.example/'), late, 'a name look-up');
});

t.test('takes the status for the answer when the body never ends', async (t) => {
  const dripping = await receive(t, (_, response) => {
    response.writeHead(200).write('a');
  });
  const { send } = openSender(t, { timeoutMs: 150 });
  t.same(await send(`http://127.0.0.1:${dripping.port}/`), { delivered: true, status: 200 });
});

t.test('cuts off an answer without end instead of reading it', async (t) => {
  const chunk = Buffer.alloc(65_536, 'x');
  const endless = await receive(t, (_, response) => {
    const pour = () => {
      while (response.write(chunk)) {}
    };
    response.writeHead(500).on('drain', pour);
    pour();
  });
  const { send } = openSender(t);
  t.match(await send(`http://127.0.0.1:${endless.port}/`), { delivered: false, status: 500 });
  const [socket] = endless.connections;
  if (socket?.closed === false) await new Promise((resolve) => socket.once('close', resolve));
  // The kernel's buffers hold some of what the receiver has written.
  t.ok((socket?.bytesWritten ?? Number.NaN) < 16_000_000, String(socket?.bytesWritten));
});

t.test('uses a new connection for each delivery', async (t) => {
  const receiver = await receive(t);
  const { send } = openSender(t);
  await send(`http://127.0.0.1:${receiver.port}/`);
  await send(`http://127.0.0.1:${receiver.port}/`);
  t.equal(receiver.connections.length, 2);
});

t.test('on closing, cuts off what is under way and sends nothing more', async (t) => {
  const mute = await receive(t, () => undefined);
  const { send, close } = openSender(t);
  const underWay = send(`http://127.0.0.1:${mute.port}/`);
  while (mute.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
  await close();
  const stopping = { delivered: false, reason: 'stopping', permanent: false };
  t.same(await underWay, stopping);
  t.same(await send(`http://127.0.0.1:${mute.port}/`), stopping);
  t.equal(mute.connections.length, 1);
});

t.test('refuses to start with an allow list it cannot read', async (t) => {
  t.throws(
    () => createCallbackSender({ allow: ['http://x'], now: Date.now }),
    /allow-list entry "http:\/\/x"/,
  );
});

t.test(
  'a kept connection serves the next delivery, and one that the receiver ended is replaced',
  async (t) => {
    const receiver = await receive(t);
    const { send } = openSender(t, { keepAliveMs: 1_000 });
    const url = `http://127.0.0.1:${receiver.port}/`;
    for (let count = 0; count < 3; count++) t.match(await send(url), { delivered: true });
    t.equal(receiver.connections.length, 1);
    const { send: apart } = openSender(t);
    for (let count = 0; count < 2; count++) t.match(await apart(url), { delivered: true });
    t.equal(receiver.connections.length, 3, 'not kept unless it is asked for');

    const impatient = await receive(t, (request, response) => {
      if (impatient.requests.length !== 2) return response.end();
      // Ended without a word, as by a receiver whose own limit for idle connections is over.
      return request.socket.destroy();
    });
    const other = `http://127.0.0.1:${impatient.port}/`;
    for (let count = 0; count < 2; count++) t.match(await send(other), { delivered: true });
    t.same(
      impatient.requests.map(({ headers }) => headers['webhook-id']),
      ['msg_1', 'msg_1', 'msg_1'],
    );
    t.equal(impatient.connections.length, 2);
  },
);
