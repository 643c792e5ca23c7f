import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns';
import { once } from 'node:events';
import { isIPv6, type LookupFunction } from 'node:net';

type Tap = { teardown(close: () => void): void };

const typeOf = { A: 1, AAAA: 28 } as const;
/** Bytes before the question of a message (RFC 1035, 4.1.1). */
const headerBytes = 12;

/**
 * A name server on this machine whose nth response has the nth addresses, for no time at all (TTL 0); the last one for ever. `lookup`
 * asks it over UDP, as often as it is called.
 */
export async function startNameServer(t: Tap, turns: readonly (readonly string[])[]) {
  const socket = createSocket('udp4');
  const server = { asked: 0 };
  socket.on('message', (query, { port, address }) => {
    const turn = turns[Math.min(server.asked++, turns.length - 1)] ?? [];
    socket.send(responseTo(query, turn), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const resolver = new Resolver();
  resolver.setServers([`127.0.0.1:${socket.address().port}`]);
  t.teardown(() => {
    resolver.cancel();
    socket.close();
  });
  const lookup: LookupFunction = (host, _options, done) => {
    const kind = turns.flat().some(isIPv6) ? 'AAAA' : 'A';
    resolver.resolve(host, kind, (error, found) => {
      const addresses = (error ? [] : found) as string[];
      done(
        error,
        addresses.map((address) => ({ address, family: kind === 'A' ? 4 : 6 })),
      );
    });
  };
  return Object.assign(server, { lookup });
}

function responseTo(query: Buffer, addresses: readonly string[]): Buffer {
  const end = query.indexOf(0, headerBytes) + 5; // the name, its type and its class
  const header = Buffer.from(query.subarray(0, headerBytes));
  header.writeUInt16BE(0x8180, 2); // a response without error
  header.writeUInt16BE(addresses.length, 6);
  header.writeUInt32BE(0, 8);
  return Buffer.concat([header, query.subarray(headerBytes, end), ...addresses.map(recordOf)]);
}

/** The name is that of the question, at place 12 of the message. */
function recordOf(address: string): Buffer {
  const data = isIPv6(address) ? mappedBytes(address) : Buffer.from(address.split('.').map(Number));
  const record = Buffer.alloc(12);
  record.writeUInt16BE(0xc00c, 0);
  record.writeUInt16BE(isIPv6(address) ? typeOf.AAAA : typeOf.A, 2);
  record.writeUInt16BE(1, 4);
  record.writeUInt16BE(data.length, 10);
  return Buffer.concat([record, data]);
}

/** Of an IPv4 address in IPv6: `::ffff:127.0.0.1`. */
const mappedBytes = (address: string): Buffer =>
  Buffer.from([
    ...Array(10).fill(0),
    0xff,
    0xff,
    ...(address.split(':').at(-1) ?? '').split('.').map(Number),
  ]);
