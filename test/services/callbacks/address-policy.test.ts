import t from 'tap';
import { allowListMistakes, createAddressPolicy } from '../../../src/services/callbacks/address-policy.ts';

interface Case {
  allow: readonly string[];
  host: string;
  port?: number;
  address: string;
  refused: string | null;
}

const cases: readonly Case[] = [
  { allow: [], host: 'example.org', address: '1.1.1.1', refused: null },
  { allow: [], host: 'example.org', address: '10.0.0.1', refused: 'private' },
  { allow: [], host: 'example.org', address: 'not an address', refused: 'reserved' },
  { allow: [], host: 'example.org', address: '010.0.0.1', refused: 'reserved' },
  { allow: ['hooks.corp'], host: 'hooks.corp', address: '10.0.0.1', refused: null },
  { allow: ['hooks.corp'], host: 'HOOKS.corp.', address: '::1', refused: null },
  { allow: ['hooks.corp'], host: 'evil.hooks.corp', address: '10.0.0.1', refused: 'private' },
  { allow: ['hooks.corp'], host: 'hooks.corp.evil.example', address: '10.0.0.1', refused: 'private' },
  { allow: ['hooks.corp:8443'], host: 'hooks.corp', port: 8443, address: '10.0.0.1', refused: null },
  { allow: ['hooks.corp:8443'], host: 'hooks.corp', port: 22, address: '10.0.0.1', refused: 'private' },
  { allow: ['127.0.0.1'], host: 'any.example', address: '127.0.0.1', refused: null },
  { allow: ['127.0.0.1'], host: 'any.example', address: '::ffff:127.0.0.1', refused: null },
  { allow: ['127.0.0.1'], host: 'any.example', address: '127.0.0.2', refused: 'loopback' },
  { allow: ['127.0.0.1:81'], host: '127.0.0.1', port: 80, address: '127.0.0.1', refused: 'loopback' },
  { allow: ['10.0.0.0/8'], host: 'any.example', address: '10.255.0.1', refused: null },
  { allow: ['10.0.0.0/8'], host: 'any.example', address: '11.0.0.1', refused: null },
  { allow: ['10.0.0.0/8'], host: 'any.example', address: '192.168.0.1', refused: 'private' },
  { allow: ['10.0.0.0/8'], host: 'any.example', address: '::1', refused: 'loopback' },
  { allow: ['fd00::/8'], host: 'any.example', address: 'fd12::1', refused: null },
  { allow: ['fd00::/8'], host: 'any.example', address: '10.0.0.1', refused: 'private' },
  { allow: ['::/0'], host: 'any.example', address: '64:ff9b::10.0.0.1', refused: null },
];

t.test('lets public addresses through, and others only where the operator opened them', async (t) => {
  for (const { allow, host, port = 443, address, refused } of cases) {
    t.equal(
      createAddressPolicy(allow).refusal(host, port, address),
      refused,
      `${allow.join()} ${host} ${address}`,
    );
  }
});

const wide = ['0.0.0.0/0', '::/0', '169.254.0.0/16', '169.254.169.254/31', 'metadata.corp'];

t.test('opens a metadata address by its own IP only, never by a range or a host name', async (t) => {
  for (const address of ['169.254.169.254', 'fd00:ec2::254', '168.63.129.16', '64:ff9b::169.254.169.254']) {
    t.equal(createAddressPolicy(wide).refusal('metadata.corp', 80, address), 'metadata', address);
    t.equal(createAddressPolicy([address]).refusal('metadata.corp', 80, address), null, address);
    t.equal(createAddressPolicy(['127.0.0.1']).refusal('metadata.corp', 80, address), 'metadata', address);
  }
  t.equal(createAddressPolicy(['169.254.169.254/32']).refusal('a', 80, '169.254.169.254'), null);
  t.equal(createAddressPolicy(['169.254.169.254:80']).refusal('a', 81, '169.254.169.254'), 'metadata');
});

t.test('names every entry that cannot be used', async (t) => {
  const allow = ['10.0.0.0/8', 'http://x', '*.corp'];
  const mistakes = allowListMistakes(allow);
  t.match(mistakes, [/"http:\/\/x"/, /"\*\.corp"/]);
  t.equal(mistakes.length, 2);
  t.same(allowListMistakes(['10.0.0.0/8']), []);
  t.throws(() => createAddressPolicy(allow), { message: mistakes.join('; ') });
});
