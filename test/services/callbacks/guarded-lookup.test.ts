import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import t from 'tap';
import {
  type CallbackSenderOptions,
  createCallbackSender,
} from '../../../src/services/callbacks/callback-sender.ts';
import { startNameServer } from './name-server.ts';
import { startReceiver } from './receiver.ts';

type Tap = { teardown(close: () => Promise<void>): void };

const open = async (t: Tap, options: Partial<CallbackSenderOptions> = {}) => {
  const receiver = await startReceiver((_, response) => response.end());
  const sender = createCallbackSender({ allow: [], now: Date.now, ...options });
  t.teardown(async () => {
    await sender.close();
    await receiver.close();
  });
  const send = (url: string) =>
    sender.send({ id: 'msg_1', url, secrets: [`whsec_${btoa('k'.repeat(24))}`], body: '{}' });
  return { ...receiver, send };
};

/** A name server whose nth answer is the nth entry; the count of questions is `asked`. */
const answersInTurn = (turns: readonly (string | LookupAddress[])[]) => {
  const resolver = {
    asked: 0,
    lookup: ((_host, _options, response) => {
      const turn = turns[resolver.asked++] ?? [];
      response(null, turn as LookupAddress[]);
    }) satisfies LookupFunction,
  };
  return resolver;
};
const addresses = (...list: string[]): LookupAddress[] =>
  list.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

const refusal = (kind: string) => ({
  delivered: false,
  reason: `address refused: ${kind}`,
  permanent: false,
});

// Only what leads nowhere but to this machine if the guard breaks; every other range stands in public-addresses.test.ts.
const spellings: readonly (readonly [string, string])[] = [
  ['127.0.0.1', 'loopback'],
  ['127.1', 'loopback'],
  ['2130706433', 'loopback'],
  ['0x7f000001', 'loopback'],
  ['0x7f.0.0.1', 'loopback'],
  ['017700000001', 'loopback'],
  ['0177.0.0.01', 'loopback'],
  ['127.0.0.1.', 'loopback'],
  ['①②⑦.0.0.1', 'loopback'],
  ['%31%32%37.0.0.1', 'loopback'],
  ['localhost', 'loopback'],
  ['[::1]', 'loopback'],
  ['[::ffff:127.0.0.1]', 'loopback'],
  ['[::ffff:7f00:1]', 'loopback'],
  ['[0:0:0:0:0:ffff:127.0.0.1]', 'loopback'],
  ['[::127.0.0.1]', 'reserved'],
  ['[64:ff9b::127.0.0.1]', 'tunnel'],
  ['[2002:7f00:1::]', 'tunnel'],
  ['0', 'unspecified'],
  ['[::]', 'unspecified'],
];

t.test('dials no private address, however it is spelled', async (t) => {
  const { send, port, connections } = await open(t);
  for (const [host, kind] of spellings) {
    for (const scheme of ['http', 'https']) {
      t.same(await send(`${scheme}://${host}:${port}/`), refusal(kind), `${scheme} ${host}`);
    }
  }
  t.equal(connections.length, 0);
});

t.test('takes the port of the scheme where the URL names none', async (t) => {
  // The entries open each at the port of the other scheme.
  const { lookup } = answersInTurn([addresses('127.0.0.2')]);
  const { send } = await open(t, { allow: ['hooks.example:443', '127.0.0.3:80'], lookup });
  t.same(await send('http://hooks.example/'), refusal('loopback'));
  t.same(await send('https://127.0.0.3/'), refusal('loopback'));
});

t.test('reaches a host that the operator opened, by name, port, address or range', async (t) => {
  const first = await open(t);
  for (const entry of ['hooks.example', `hooks.example:${first.port}`, '127.0.0.1', '127.0.0.0/8']) {
    const { lookup } = answersInTurn([addresses('127.0.0.1')]);
    const { send } = await open(t, { allow: [entry], lookup });
    t.same(await send(`http://hooks.example:${first.port}/`), { delivered: true, status: 200 }, entry);
  }
  t.equal(first.requests.length, 4);
  t.match(first.requests[0]?.headers, { host: `hooks.example:${first.port}` });
});

t.test(
  'dials the address that was checked: a name is resolved once a delivery, and checked each time',
  async (t) => {
    const resolver = answersInTurn([addresses('127.0.0.1'), addresses('127.0.0.2')]);
    const { send, port, requests } = await open(t, { allow: ['127.0.0.1'], lookup: resolver.lookup });
    t.same(await send(`http://rebinding.example:${port}/`), { delivered: true, status: 200 });
    t.equal(resolver.asked, 1);
    t.same(await send(`http://rebinding.example:${port}/`), refusal('loopback'));
    t.equal(resolver.asked, 2);
    t.equal(requests.length, 1);
  },
);

t.test('refuses a name when any of its addresses is private', async (t) => {
  const mixed: readonly (readonly [string[], string])[] = [
    [['127.0.0.1', '10.0.0.1'], 'private'],
    [['127.0.0.2', '127.0.0.1'], 'loopback'],
    [['127.0.0.1', '169.254.169.254'], 'metadata'],
    [['127.0.0.1', '::ffff:10.0.0.1'], 'private'],
    [['127.0.0.1', 'fe80::1%eth0'], 'link-local'],
    [['127.0.0.1', 'not an address'], 'reserved'],
  ];
  const { lookup } = answersInTurn(mixed.map(([list]) => addresses(...list)));
  const { send, port, connections } = await open(t, { allow: ['127.0.0.1'], lookup });
  for (const [list, kind] of mixed) {
    t.same(await send(`http://mixed.example:${port}/`), refusal(kind), list.join());
  }
  t.equal(connections.length, 0);
});

t.test('checks a resolver that answers with one address instead of a list', async (t) => {
  const { lookup } = answersInTurn(['127.0.0.2']);
  const { send, port } = await open(t, { lookup });
  t.same(await send(`http://single.example:${port}/`), refusal('loopback'));
});

t.test('fails, to be tried again, when a name has no address', async (t) => {
  const unknown = Object.assign(new Error('private words'), { code: 'ENOTFOUND' });
  const { send } = await open(t, { lookup: (_host, _options, response) => response(unknown, []) });
  const notFound = { delivered: false, reason: 'connection failed: ENOTFOUND', permanent: false };
  t.same(await send('http://missing.example/'), notFound);
  const empty = await open(t, { lookup: answersInTurn([[]]).lookup });
  t.match(await empty.send('http://empty.example/'), { delivered: false, permanent: false });
});

t.test(
  'a name server that changes its response is asked once an attempt, and its response is dialled',
  async (t) => {
    const names = await startNameServer(t, [['127.0.0.1'], ['127.0.0.2'], ['127.0.0.1', '10.0.0.1'], []]);
    const { send, port, requests, connections } = await open(t, {
      allow: ['127.0.0.1'],
      lookup: names.lookup,
    });
    const url = `http://rebinding.example:${port}/`;
    t.same(await send(url), { delivered: true, status: 200 });
    t.equal(names.asked, 1, 'not once to check and once to connect');
    t.same(await send(url), refusal('loopback'));
    t.same(await send(url), refusal('private'), 'one of two');
    t.match(await send(url), { delivered: false, permanent: false });
    t.equal(requests.length, 1);
    t.equal(connections.length, 1);
  },
);

t.test('an IPv4 address in IPv6 from a name server is the IPv4 address', async (t) => {
  const names = await startNameServer(t, [['::ffff:127.0.0.1'], ['::ffff:169.254.169.254']]);
  const { send, port, connections } = await open(t, { lookup: names.lookup });
  t.same(await send(`http://mapped.example:${port}/`), refusal('loopback'));
  t.same(await send(`http://mapped.example:${port}/`), refusal('metadata'));
  t.equal(connections.length, 0);
});

t.test('a redirect to another address is not followed, and its name is not resolved', async (t) => {
  const elsewhere = await startReceiver((_, response) => response.end());
  const redirecting = await startReceiver((_, response) =>
    response.writeHead(307, { location: `http://inside.example:${elsewhere.port}/` }).end(),
  );
  t.teardown(() => Promise.all([elsewhere.close(), redirecting.close()]).then(() => undefined));
  const names = await startNameServer(t, [['127.0.0.1']]);
  const { send } = await open(t, { allow: ['127.0.0.1'], lookup: names.lookup });
  t.match(await send(`http://outside.example:${redirecting.port}/`), {
    delivered: false,
    reason: 'redirects are not followed: 307',
  });
  t.equal(names.asked, 1);
  t.equal(elsewhere.connections.length, 0);
});
