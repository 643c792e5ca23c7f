import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import ipaddr from 'ipaddr.js';
import { type IpAddress, readAddress } from './public-addresses.ts';

/** What one entry opens. `port` null means every port. A single IP is a network of its full length. */
export type AllowEntry =
  | { kind: 'host'; host: string; port: number | null }
  | { kind: 'network'; network: IpAddress; bits: number; port: number | null };

export type AllowEntryMistake = { kind: 'mistake'; message: string };

const notAnEntry = 'not a host name, host:port, IP address or CIDR range';
const hostLabel = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

/**
 * Reads `host`, `host:port`, `IP`, `IP:port`, `[IPv6]:port` or `CIDR`. Whatever could mean something else than it
 * looks like is a mistake, never repaired: an entry opens a way into the operator's network.
 */
export function readAllowEntry(text: string): AllowEntry | AllowEntryMistake {
  if (text.includes('/')) return readNetwork(text);
  if (isIP(text) !== 0) return singleAddress(text, null);
  const parts = /^(?:\[([^\]]*)\]|([^:[\]]*))(?::(\d{1,5}))?$/.exec(text);
  if (parts === null) return mistake(text, notAnEntry);
  const [, ipv6, name = '', digits] = parts;
  const port = digits === undefined ? null : Number(digits);
  if (port !== null && (port < 1 || port > 65_535))
    return mistake(text, 'a port is a number from 1 to 65535');
  if (ipv6 !== undefined) return isIP(ipv6) === 6 ? singleAddress(ipv6, port) : mistake(text, notAnEntry);
  if (isIP(name) === 4) return singleAddress(name, port);
  return readHost(text, name, port);
}

/** The form in which host names are compared: lower case, ASCII, no dot at the end. */
export function comparableHost(host: string): string {
  return domainToASCII(host).replace(/\.$/, '');
}

function readNetwork(text: string): AllowEntry | AllowEntryMistake {
  const [base = '', length = ''] = text.split('/');
  if (isIP(base) === 0 || !/^\d{1,3}$/.test(length) || !ipaddr.isValidCIDR(text)) {
    return mistake(text, 'not a CIDR range; a host is written without scheme and path');
  }
  const [network, bits] = ipaddr.parseCIDR(text);
  // ipaddr.js reads `::10.0.0.0` as mapped too, which is another range.
  if (network instanceof ipaddr.IPv6 && network.isIPv4MappedAddress()) {
    return mistake(text, 'write an IPv4 range as IPv4, and an IPv6 range in hexadecimal');
  }
  const family = network instanceof ipaddr.IPv4 ? ipaddr.IPv4 : ipaddr.IPv6;
  const first = family.networkAddressFromCIDR(text).toString();
  if (first !== network.toString())
    return mistake(text, `the range would begin at ${first}; write ${first}/${bits}`);
  return { kind: 'network', network, bits, port: null };
}

function singleAddress(text: string, port: number | null): AllowEntry {
  const network = readAddress(text);
  return { kind: 'network', network, bits: network instanceof ipaddr.IPv4 ? 32 : 128, port };
}

function readHost(text: string, name: string, port: number | null): AllowEntry | AllowEntryMistake {
  const host = comparableHost(name);
  if (isIP(host) !== 0) return mistake(text, `an odd spelling of ${host}; write that`);
  if (host.length > 253 || !host.split('.').every((label) => hostLabel.test(label))) {
    return mistake(text, notAnEntry);
  }
  return { kind: 'host', host, port };
}

function mistake(text: string, what: string): AllowEntryMistake {
  return { kind: 'mistake', message: `allow-list entry ${JSON.stringify(text)}: ${what}` };
}
