import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import ipaddr from 'ipaddr.js';
import {
  type AddressKind,
  type IpAddress,
  isSameAddress,
  nonPublicKind,
  readAddress,
} from './public-addresses.ts';

/** Decides which IP addresses may be connected to for a URL that a caller supplied. */
export interface AddressPolicy {
  /**
   * Null when `address` (an IP in text) may be dialled for a URL that names `host` and `port`; else why not. Every
   * public unicast address may. Any other one only when the operator allow-listed the host name, the IP or a range
   * around it; a metadata address only when its own IP stands in the list, so that neither a wide range nor a host
   * name that comes to point elsewhere opens it.
   */
  refusal(host: string, port: number, address: string): AddressKind | null;
}

/** One sentence for each entry that cannot be used, empty when all can: for checking settings at start. */
export function allowListMistakes(allow: readonly string[]): readonly string[] {
  return allow.map(readAllowEntry).flatMap((entry) => (entry.kind === 'mistake' ? [entry.message] : []));
}

/** Throws an Error naming every entry that cannot be used. Entries: `host`, `host:port`, `IP`, `IP:port`, `CIDR`. */
export function createAddressPolicy(allow: readonly string[]): AddressPolicy {
  const mistakes = allowListMistakes(allow);
  if (mistakes.length > 0) throw new Error(mistakes.join('; '));
  const entries = allow.map(readAllowEntry).filter((entry) => entry.kind !== 'mistake');

  return {
    refusal(host, port, text) {
      // Anything that is not an IP address is refused.
      if (isIP(text) === 0) return 'reserved';
      const address = readAddress(text);
      const kind = nonPublicKind(address);
      if (kind === null) return null;
      const open = entries.filter((entry) => entry.port === null || entry.port === port);
      const allowed =
        kind === 'metadata'
          ? open.some((entry) => entry.kind === 'network' && isExactly(entry, address))
          : open.some((entry) => covers(entry, host, address));
      return allowed ? null : kind;
    },
  };
}

function covers(entry: AllowEntry, host: string, address: IpAddress): boolean {
  if (entry.kind === 'host') return entry.host === comparableHost(host);
  return entry.network.kind() === address.kind() && address.match(entry.network, entry.bits);
}

function isExactly(entry: Extract<AllowEntry, { kind: 'network' }>, address: IpAddress): boolean {
  return isSameAddress(entry.network, address) && entry.bits === address.toByteArray().length * 8;
}

/** The addresses that one entry opens. `port` null means every port. A single IP is a network of its full length. */
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
function comparableHost(host: string): string {
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

/** The rules for URLs that receive callbacks and webhooks. */
export const receiverUrlRule =
  'must be an http or https URL without user name and password, tabs and ends of lines';

/** Null when the text breaks the rule above. URL would leave tabs and ends of lines out, and read another address than was given. */
export function readReceiverUrl(text: string): URL | null {
  if (/\p{Cc}/u.test(text)) return null;
  const url = URL.parse(text);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') return null;
  return url.username === '' && url.password === '' ? url : null;
}
