import { isIP } from 'node:net';
import { type AllowEntry, comparableHost, readAllowEntry } from './allow-list.ts';
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
