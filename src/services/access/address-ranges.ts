import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { AppError } from '../../errors.ts';

type Range = ReturnType<typeof ipaddr.parseCIDR>;

/** Null for a text that is neither an IP address nor a CIDR range in their usual spelling, and for a range that is everywhere. */
function readRange(text: string): Range | null {
  const [start = '', bits, ...rest] = text.split('/');
  // ipaddr.js also reads "127.1", octal and hexadecimal numbers, and zones.
  if (isIP(start) === 0 || start.includes('%') || rest.length > 0) return null;
  const address = ipaddr.process(start);
  const length = address.toByteArray().length * 8;
  if (bits === undefined) return [address, length];
  // The bits of an IPv4 address in IPv6 form would count from elsewhere.
  if (
    !/^[1-9]\d{0,2}$/.test(bits) ||
    Number(bits) > length ||
    address.kind() !== ipaddr.parse(start).kind()
  ) {
    return null;
  }
  return [address, Number(bits)];
}

/** Whether a text is an IP address or a CIDR range that is not everywhere. */
export const isAddressRange = (text: string): boolean => readRange(text) !== null;

/** Whether an address lies in one of the ranges. An IPv4 address in IPv6 form is one of IPv4. */
export function isWithin(ranges: readonly string[], text: string): boolean {
  // Not `ipaddr.isValid`, which also takes "127.1", octal and hexadecimal numbers.
  if (isIP(text) === 0) return false;
  const address = ipaddr.process(text);
  return ranges.some((one) => {
    const range = readRange(one);
    return range !== null && range[0].kind() === address.kind() && address.match(range);
  });
}

/** Refuses what is no range. One that is everywhere would only look like a restriction. */
export function checkRanges(ranges: readonly string[], path: string): void {
  ranges.forEach((text, place) => {
    if (readRange(text)) return;
    throw new AppError('invalid', 'must be an IP address or a CIDR range, like 203.0.113.0/24', {
      path: `${path}/${place}`,
    });
  });
}
