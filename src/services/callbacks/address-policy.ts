import { lookup as resolve } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { domainToASCII } from 'node:url';
import ipaddr from 'ipaddr.js';

export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;

/** Why an address is not public. `tunnel`: an IPv6 form that could carry a private IPv4 address past a filter. */
export type AddressKind =
  | 'metadata'
  | 'loopback'
  | 'private'
  | 'link-local'
  | 'shared'
  | 'multicast'
  | 'unspecified'
  | 'tunnel'
  | 'reserved';

/**
 * Where clouds hand credentials to whoever asks from inside. Most lie in link-local or private ranges, but not all
 * (Azure's is public by its number), and an operator who opens a whole range must not open these with it.
 */
const metadataAddresses = [
  '169.254.169.254', // AWS, Google, Azure, Oracle, DigitalOcean and others
  '169.254.169.253', // AWS name service
  '169.254.169.123', // AWS time service
  '169.254.170.2', // AWS ECS task credentials
  '169.254.170.23', // AWS EKS pod identity
  '100.100.100.200', // Alibaba
  '168.63.129.16', // Azure host agent
  '192.0.0.192', // Oracle, first generation
  'fd00:ec2::254', // AWS
  'fd00:ec2::253', // AWS name service
  'fd00:ec2::23', // AWS EKS pod identity
  'fd20:ce::254', // Google
].map((address) => ipaddr.parse(address));

const kindOfRange: { readonly [range: string]: AddressKind } = {
  loopback: 'loopback',
  private: 'private',
  uniqueLocal: 'private',
  deprecatedSiteLocal: 'private',
  linkLocal: 'link-local',
  carrierGradeNat: 'shared',
  multicast: 'multicast',
  broadcast: 'multicast',
  unspecified: 'unspecified',
  rfc6145: 'tunnel',
  rfc6052: 'tunnel',
  '6to4': 'tunnel',
  teredo: 'tunnel',
};

const wellKnownNat64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/** IPv6 ranges whose addresses carry an IPv4 address, and how to read it. */
const carriers: readonly { range: [ipaddr.IPv6, number]; read(bytes: readonly number[]): number[] }[] = [
  // IPv4-compatible (RFC 4291), translated (RFC 7915), NAT64 well-known (RFC 6052) and local (RFC 8215)
  ...['::/96', '::ffff:0:0:0/96', '64:ff9b::/96', '64:ff9b:1::/48'].map((range) => ({
    range: ipaddr.IPv6.parseCIDR(range),
    read: (bytes: readonly number[]) => bytes.slice(12),
  })),
  // 6to4 (RFC 3056)
  { range: ipaddr.IPv6.parseCIDR('2002::/16'), read: (bytes) => bytes.slice(2, 6) },
  // Teredo (RFC 4380) keeps the client's address with every bit turned over
  { range: ipaddr.IPv6.parseCIDR('2001::/32'), read: (bytes) => bytes.slice(12).map((byte) => byte ^ 0xff) },
];

/**
 * Reads one address that `node:net` accepts as one. An IPv4-mapped address comes back as the IPv4 address that is dialled.
 * URL spells IPv6 in hexadecimal first, because ipaddr.js reads `::10.0.0.1` as `::ffff:10.0.0.1`, which is another
 * host. A zone (`%eth0`) names an interface, not another address, and is dropped.
 */
export function readAddress(text: string): IpAddress {
  if (!text.includes(':')) return ipaddr.parse(text);
  const { hostname } = new URL(`http://[${text.replace(/%.*$/, '')}]`);
  return ipaddr.process(hostname.slice(1, -1));
}

function isSameAddress(one: IpAddress, other: IpAddress): boolean {
  return one.toNormalizedString() === other.toNormalizedString();
}

/** Null when the address is one anybody may be at: public, unicast, and no way into a network behind this machine. */
export function nonPublicKind(address: IpAddress): AddressKind | null {
  const carried = carriedIpv4(address);
  if (isMetadata(address) || (carried !== null && isMetadata(carried))) return 'metadata';
  const kind = kindOf(address);
  if (address instanceof ipaddr.IPv4) return kind;
  // On a network without IPv4 the resolver answers every IPv4-only name with this prefix (RFC 6147).
  if (carried !== null && address.match(wellKnownNat64)) return kindOf(carried) === null ? null : 'tunnel';
  // Only 2000::/3 is given out (RFC 4291): what lies outside and has no name yet is no host on the Internet.
  return kind === null && !address.match(globalUnicast) ? 'reserved' : kind;
}

function carriedIpv4(address: IpAddress): ipaddr.IPv4 | null {
  if (address instanceof ipaddr.IPv4) return null;
  const carrier = carriers.find(({ range }) => address.match(range));
  return carrier === undefined ? null : new ipaddr.IPv4(carrier.read(address.toByteArray()));
}

function kindOf(address: IpAddress): AddressKind | null {
  const range: string = address.range();
  return range === 'unicast' ? null : (kindOfRange[range] ?? 'reserved');
}

function isMetadata(address: IpAddress): boolean {
  return metadataAddresses.some((metadata) => isSameAddress(metadata, address));
}

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

/**
 * Name resolution for one dial, to allowed addresses only. The check stands inside the resolution that the dial itself
 * asks for, so the address that was checked is the one that is dialled: checking first and dialling the name later would
 * let a name server answer twice (DNS rebinding). Throws `Undelivered` when the URL names an address that is refused.
 */
export function guardedLookup(
  url: URL,
  policy: AddressPolicy,
  lookup: LookupFunction = resolve,
): LookupFunction {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  const check = (address: string) => {
    const kind = policy.refusal(host, port, address);
    return kind === null ? null : new Undelivered(`address refused: ${kind}`);
  };

  // node:net asks no resolver for an IP, so the guard below would never see it.
  const refused = isIP(host) === 0 ? null : check(host);
  if (refused !== null) throw refused;

  return (name, options, response) =>
    lookup(name, { ...options, all: true }, (error, found) => {
      if (error !== null) return response(error, []);
      const addresses = typeof found === 'string' ? [{ address: found, family: isIP(found) }] : found;
      // One bad address refuses the name: a mixed response is how a private address is smuggled into a retry.
      const refusals = addresses.flatMap(({ address }) => check(address) ?? []);
      response(refusals[0] ?? null, addresses);
    });
}

/** Why a delivery failed. `message` is safe to store and show: it holds no content, header or address. */
export class Undelivered extends Error {
  /** True when trying again cannot help. */
  readonly permanent: boolean;

  constructor(message: string, options: { permanent?: boolean } = {}) {
    super(message);
    this.name = 'Undelivered';
    this.permanent = options.permanent ?? false;
  }
}

/** Keeps only the code of other errors (ECONNREFUSED, ERR_TLS_…): their messages may quote what the receiver sent. */
export function undeliveredFrom(error: unknown): Undelivered {
  if (error instanceof Undelivered) return error;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const isCode = typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,60}$/.test(code);
  return new Undelivered(isCode ? `connection failed: ${code}` : 'connection failed');
}
