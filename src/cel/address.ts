import { Opaque } from './value.ts';

const LABELS = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/;
const LONGEST_DOMAIN = 253;

/** Whether a text in lower case can be the name of a host: ASCII labels with dots between. */
export const isDomain = (text: string): boolean => text.length <= LONGEST_DOMAIN && LABELS.test(text);

type Family = 4 | 6;

/** An IPv4 or IPv6 address as one number of 32 or 128 bits. */
export class Ip extends Opaque {
  readonly typeName = 'net.IP';
  readonly family: Family;
  readonly value: bigint;
  constructor(family: Family, value: bigint) {
    super();
    this.family = family;
    this.value = value;
  }
  equals(other: unknown): boolean {
    return other instanceof Ip && other.family === this.family && other.value === this.value;
  }
  toString(): string {
    return this.family === 4 ? dotted(this.value) : colons(this.value);
  }
}

const bitsOf = (family: Family): number => (family === 4 ? 32 : 128);

const BYTE = /^(?:0|[1-9]\d{0,2})$/;
const GROUP = /^[0-9a-fA-F]{1,4}$/;
const LONGEST_ADDRESS = 45;
const GROUPS = 8;
/** `::ffff:0:0/96`: an IPv4 address written as an IPv6 one. */
const MAPPED = 0xffffn;

/** Four decimal numbers. Other forms (octal, fewer numbers) are read differently by different programs: null. */
export function parseIpv4(text: string): Ip | null {
  const parts = text.split('.', 5);
  if (text.length > 15 || parts.length !== 4) return null;
  if (!parts.every((part) => BYTE.test(part) && Number(part) <= 255)) return null;
  return new Ip(
    4,
    parts.reduce((value, part) => (value << 8n) | BigInt(part), 0n),
  );
}

/** Null for a zone (`%eth0`) too. */
export function parseIpv6(text: string): Ip | null {
  if (text.length > LONGEST_ADDRESS || !text.includes(':')) return null;
  const halves = text.split('::');
  if (halves.length > 2) return null;
  const [head = '', tail] = halves;
  const first = groupsOf(head, tail === undefined);
  const last = tail === undefined ? [] : groupsOf(tail, true);
  if (first === null || last === null) return null;
  const missing = GROUPS - first.length - last.length;
  if (tail === undefined ? missing !== 0 : missing < 1) return null;
  const groups = [...first, ...Array<bigint>(missing).fill(0n), ...last];
  return new Ip(
    6,
    groups.reduce((value, group) => (value << 16n) | group, 0n),
  );
}

/** The groups of a part; the last one of an address may be an IPv4 address. */
function groupsOf(part: string, isEnd: boolean): bigint[] | null {
  if (part === '') return [];
  const groups: bigint[] = [];
  const pieces = part.split(':');
  for (const [index, piece] of pieces.entries()) {
    if (GROUP.test(piece)) groups.push(BigInt(`0x${piece}`));
    else {
      const embedded = isEnd && index === pieces.length - 1 ? parseIpv4(piece) : null;
      if (embedded === null) return null;
      groups.push(embedded.value >> 16n, embedded.value & 0xffffn);
    }
  }
  return groups;
}

/** The IPv4 address that an IPv6 address of the form `::ffff:a.b.c.d` stands for; any other as it is. */
export const unmapped = (ip: Ip): Ip =>
  ip.family === 6 && ip.value >> 32n === MAPPED ? new Ip(4, ip.value & 0xffff_ffffn) : ip;

/**
 * The network_ext section of cel-spec: an IPv4 address written inside of an IPv6 one (`::ffff:10.0.0.1`) is refused, and
 * its form with hexadecimal digits is the IPv4 address.
 */
export function parseIp(text: string): Ip | null {
  const ip = parseIpv4(text) ?? parseIpv6(text);
  if (ip === null) return null;
  const plain = unmapped(ip);
  return plain !== ip && text.includes('.') ? null : plain;
}

const dotted = (value: bigint): string =>
  [24n, 16n, 8n, 0n].map((shift) => String((value >> shift) & 255n)).join('.');

/** RFC 5952: lower case, the longest run of two or more zero groups (the first of several) as `::`. */
function colons(value: bigint): string {
  const groups = Array.from({ length: GROUPS }, (_, index) =>
    ((value >> BigInt(16 * (GROUPS - 1 - index))) & 0xffffn).toString(16),
  );
  let start = -1;
  let longest = 1;
  for (let from = 0; from < GROUPS; from += 1) {
    let to = from;
    while (groups[to] === '0') to += 1;
    if (to - from > longest) {
      start = from;
      longest = to - from;
    }
  }
  if (start < 0) return groups.join(':');
  return `${groups.slice(0, start).join(':')}::${groups.slice(start + longest).join(':')}`;
}

/** A range of addresses: those that share the first `prefix` bits. */
export class Cidr extends Opaque {
  readonly typeName = 'net.CIDR';
  readonly ip: Ip;
  readonly prefix: number;
  constructor(ip: Ip, prefix: number) {
    super();
    this.ip = ip;
    this.prefix = prefix;
  }
  contains({ family, value }: Ip): boolean {
    if (family !== this.ip.family) return false;
    const free = BigInt(bitsOf(family) - this.prefix);
    return value >> free === this.ip.value >> free;
  }
  containsRange(other: Cidr): boolean {
    return this.prefix <= other.prefix && this.contains(other.ip);
  }
  /** The range with all bits after the prefix set to 0. */
  masked(): Cidr {
    const free = BigInt(bitsOf(this.ip.family) - this.prefix);
    return new Cidr(new Ip(this.ip.family, (this.ip.value >> free) << free), this.prefix);
  }
  equals(other: unknown): boolean {
    return other instanceof Cidr && other.prefix === this.prefix && other.ip.equals(this.ip);
  }
  toString(): string {
    return `${this.ip}/${this.prefix}`;
  }
}

const PREFIX = /^(?:0|[1-9]\d{0,2})$/;

/** Null for an IPv4 address inside of an IPv6 one, whose prefix could count either way. */
export function parseCidr(text: string): Cidr | null {
  const slash = text.indexOf('/');
  const prefix = text.slice(slash + 1);
  const address = text.slice(0, Math.max(slash, 0));
  const ip = parseIpv4(address) ?? parseIpv6(address);
  if (ip === null || unmapped(ip) !== ip || !PREFIX.test(prefix)) return null;
  return Number(prefix) <= bitsOf(ip.family) ? new Cidr(ip, Number(prefix)) : null;
}

const ranges = (...texts: readonly string[]): readonly Cidr[] => texts.map((text) => parseCidr(text) as Cidr);
const isIn =
  (all: readonly Cidr[]) =>
  (ip: Ip): boolean =>
    all.some((range) => range.contains(ip));

export const isUnspecified = ({ value }: Ip): boolean => value === 0n;
export const isLoopback = isIn(ranges('127.0.0.0/8', '::1/128'));
export const isLinkLocalUnicast = isIn(ranges('169.254.0.0/16', 'fe80::/10'));
export const isLinkLocalMulticast = isIn(ranges('224.0.0.0/24', 'ff02::/16'));
const isMulticast = isIn(ranges('224.0.0.0/4', 'ff00::/8'));
const isBroadcast = isIn(ranges('255.255.255.255/32'));

/** Any address of one host, private ones included. */
export const isGlobalUnicast = (ip: Ip): boolean =>
  !isUnspecified(ip) && !isLoopback(ip) && !isLinkLocalUnicast(ip) && !isMulticast(ip) && !isBroadcast(ip);

// The registries of special-purpose addresses (IANA, RFC 6890). Of IPv6 only 2000::/3 is public.
const notPublic4 = isIn(
  ranges(
    '0.0.0.0/8',
    '10.0.0.0/8',
    '100.64.0.0/10',
    '127.0.0.0/8',
    '169.254.0.0/16',
    '172.16.0.0/12',
    '192.0.0.0/24',
    '192.0.2.0/24',
    '192.168.0.0/16',
    '198.18.0.0/15',
    '198.51.100.0/24',
    '203.0.113.0/24',
    '224.0.0.0/3',
  ),
);
const isAllocated6 = isIn(ranges('2000::/3'));
const notPublic6 = isIn(ranges('2001::/23', '2001:db8::/32', '3fff::/20'));
const nat64 = isIn(ranges('64:ff9b::/96'));
const sixToFour = isIn(ranges('2002::/16'));

/**
 * Whether an address is not one of the public internet: private networks, this host, link-local (where clouds serve
 * credentials), shared, reserved, multicast and documentation. One that carries an IPv4 address (NAT64, 6to4) is what
 * that address is: it reaches the same host.
 */
export function isPrivate(ip: Ip): boolean {
  if (ip.family === 4) return notPublic4(ip);
  if (nat64(ip)) return notPublic4(new Ip(4, ip.value & 0xffff_ffffn));
  if (sixToFour(ip)) return notPublic4(new Ip(4, (ip.value >> 80n) & 0xffff_ffffn));
  return !isAllocated6(ip) || notPublic6(ip);
}
