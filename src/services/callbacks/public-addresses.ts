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

export function isSameAddress(one: IpAddress, other: IpAddress): boolean {
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
