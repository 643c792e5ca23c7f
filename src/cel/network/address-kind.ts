import { type Cidr, parseCidr } from './cidr.ts';
import { Ip } from './ip.ts';

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
