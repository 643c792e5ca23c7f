import { Opaque } from '../opaque.ts';
import { bitsOf, Ip, parseIpv4, parseIpv6, unmapped } from './ip.ts';

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
