import t from 'tap';
import { readAllowEntry } from '../../../src/services/callbacks/address-policy.ts';

const shown = (text: string) => {
  const entry = readAllowEntry(text);
  if (entry.kind === 'mistake') return entry.message;
  const what = entry.kind === 'host' ? entry.host : `${entry.network}/${entry.bits}`;
  return `${entry.kind} ${what} port ${entry.port}`;
};

const good: readonly (readonly [string, string])[] = [
  ['internal', 'host internal port null'],
  ['Hooks.Corp.Example', 'host hooks.corp.example port null'],
  ['hooks.corp.example.', 'host hooks.corp.example port null'],
  ['hooks_1.corp:8443', 'host hooks_1.corp port 8443'],
  ['bücher.example', 'host xn--bcher-kva.example port null'],
  ['10.1.2.3', 'network 10.1.2.3/32 port null'],
  ['10.1.2.3:80', 'network 10.1.2.3/32 port 80'],
  ['::1', 'network ::1/128 port null'],
  ['[::1]', 'network ::1/128 port null'],
  ['[fd00::7]:65535', 'network fd00::7/128 port 65535'],
  ['::ffff:10.0.0.1', 'network 10.0.0.1/32 port null'],
  ['10.0.0.0/8', 'network 10.0.0.0/8 port null'],
  ['0.0.0.0/0', 'network 0.0.0.0/0 port null'],
  ['fd00::/8', 'network fd00::/8 port null'],
  ['64:ff9b::10.0.0.0/104', 'network 64:ff9b::a00:0/104 port null'],
];

t.test('reads host names, ports, addresses and ranges', async (t) => {
  for (const [text, entry] of good) t.equal(shown(text), entry, text);
});

const notAnEntry = 'not a host name, host:port, IP address or CIDR range';
const notARange = 'not a CIDR range; a host is written without scheme and path';
const odd = 'write an IPv4 range as IPv4, and an IPv6 range in hexadecimal';
const badPort = 'a port is a number from 1 to 65535';
const mistakes: readonly (readonly [string, string])[] = [
  ['', notAnEntry],
  [' ', notAnEntry],
  [' internal', notAnEntry],
  ['*', notAnEntry],
  ['*.corp', notAnEntry],
  ['-a.corp', notAnEntry],
  ['a..corp', notAnEntry],
  [`${'a'.repeat(64)}.corp`, notAnEntry],
  [`${'a.'.repeat(127)}corp`, notAnEntry],
  ['user@internal', notAnEntry],
  ['internal:', notAnEntry],
  ['internal:http', notAnEntry],
  ['internal:80:80', notAnEntry],
  ['internal:0', badPort],
  ['internal:65536', badPort],
  ['[internal]', notAnEntry],
  ['[10.0.0.1]', notAnEntry],
  ['[::1', notAnEntry],
  ['256.0.0.1', notAnEntry],
  ['0x7f.1', 'an odd spelling of 127.0.0.1; write that'],
  ['127.1', 'an odd spelling of 127.0.0.1; write that'],
  ['http://internal', notARange],
  ['internal/24', notARange],
  ['10.0.0.0/', notARange],
  ['10.0.0.0/33', notARange],
  ['10.0/8', notARange],
  ['10.0.0.0/255.0.0.0', notARange],
  ['10.0.0.0/8/8', notARange],
  ['10.0.0.1/8', 'the range would begin at 10.0.0.0; write 10.0.0.0/8'],
  ['fd00::1/8', 'the range would begin at fd00::; write fd00::/8'],
  ['::ffff:10.0.0.0/104', odd],
  ['::ffff:a00:0/104', odd],
  ['::10.0.0.0/104', odd],
];

t.test('says what is wrong with an entry instead of guessing', async (t) => {
  for (const [text, what] of mistakes) {
    t.equal(shown(text), `allow-list entry ${JSON.stringify(text)}: ${what}`, text);
  }
});
