import type { Kind } from './kind.ts';

export const network: readonly Kind[] = [
  {
    tag: 'IP_ADDRESS',
    categories: ['NETWORK'],
    words: 'ip ipaddress ip_address ipv4 ipv6 host server client_ip addr cidr subnet',
    docs: {
      counts: 'IPv4 (not after "version") and IPv6 (RFC 4291), with prefix length and zone',
      strength: ['formatted'],
      found: '10.0.0.1 and 2001:db8::1',
      missed: 'version 10.0.0.1',
    },
  },
  {
    tag: 'MAC_ADDRESS',
    categories: ['NETWORK'],
    words: 'mac macaddress mac_address bssid ethernet hwaddr',
    docs: {
      counts: "six pairs or Cisco's three fours; not unset, not broadcast",
      strength: ['formatted'],
      found: '00:1A:2B:3C:4D:5E',
      missed: '00:1A:2B:3C:4D',
    },
  },
  {
    tag: 'URL',
    categories: ['NETWORK'],
    optIn: true,
    docs: {
      counts: 'opt-in: scheme, `://` and a host with a dot',
      strength: ['formatted'],
      found: 'see https://example.com/a',
      missed: 'see https://localhost',
    },
  },
];
