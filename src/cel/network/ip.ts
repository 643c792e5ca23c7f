import { Opaque } from '../opaque.ts';

export type Family = 4 | 6;

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

export const bitsOf = (family: Family): number => (family === 4 ? 32 : 128);

const BYTE = /^(?:0|[1-9]\d{0,2})$/;
const GROUP = /^[0-9a-fA-F]{1,4}$/;
const LONGEST = 45;
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
  if (text.length > LONGEST || !text.includes(':')) return null;
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
