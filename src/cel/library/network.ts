import { type Budget, spend } from '../budget.ts';
import { global, member, type Overload } from '../declaration.ts';
import { CelError, SPENT } from '../error.ts';
import {
  isGlobalUnicast,
  isLinkLocalMulticast,
  isLinkLocalUnicast,
  isLoopback,
  isPrivate,
  isUnspecified,
} from '../network/address-kind.ts';
import { type Cidr, parseCidr } from '../network/cidr.ts';
import { emailDomain } from '../network/email.ts';
import { type Ip, parseIp } from '../network/ip.ts';
import { parseUrl } from '../network/url.ts';
import { types } from '../type.ts';

const { bool, cidr, int, ip, string } = types;

const urlType = types.object('url', {
  scheme: string,
  host: string,
  port: int,
  path: string,
  query: types.map(types.list(string)),
});

const NOT_IP = new CelError('invalid_argument', 'ip: the text is not an IP address such as 10.0.0.1 or ::1');
const NOT_CIDR = new CelError('invalid_argument', 'cidr: the text is not a range such as 10.0.0.0/8');
const NOT_URL = new CelError(
  'invalid_argument',
  'url: the text is not an absolute URL that every program reads alike',
);
const NOT_EMAIL = new CelError('invalid_argument', 'emailDomain: the text is not one mail address');

// Arithmetic on 128 bits allocates; the parser of URLs reads a text several times.
const ADDRESS_STEPS = 100;
const RANGES_STEPS = 60;
const STEPS_A_CHARACTER = 10;

const ofAddress =
  <Value>(read: (text: string) => Value) =>
  (budget: Budget, text: string): Value | CelError =>
    spend(budget, ADDRESS_STEPS) ? read(text) : SPENT;
const ofText =
  <Value>(read: (text: string) => Value) =>
  (budget: Budget, text: string): Value | CelError =>
    spend(budget, text.length * STEPS_A_CHARACTER + ADDRESS_STEPS) ? read(text) : SPENT;

const test = (name: string, holds: (address: Ip) => boolean): Overload =>
  member(name, [ip], bool, (budget: Budget, address: Ip) =>
    spend(budget, RANGES_STEPS) ? holds(address) : SPENT,
  );

const toIp = (text: string): Ip | CelError => parseIp(text) ?? NOT_IP;
const toCidr = (text: string): Cidr | CelError => parseCidr(text) ?? NOT_CIDR;

/** The network_ext section of cel-spec, and functions on URLs and mail addresses. */
export const network: readonly Overload[] = [
  global('ip', [string], ip, ofAddress(toIp)),
  global(
    'isIP',
    [string],
    bool,
    ofAddress((text) => parseIp(text) !== null),
  ),
  global(
    'ip.isCanonical',
    [string],
    bool,
    ofAddress((text) => {
      const address = toIp(text);
      return address instanceof CelError ? address : String(address) === text;
    }),
  ),
  member('family', [ip], int, (_: Budget, { family }: Ip) => family),
  test('isUnspecified', isUnspecified),
  test('isLoopback', isLoopback),
  test('isGlobalUnicast', isGlobalUnicast),
  test('isLinkLocalMulticast', isLinkLocalMulticast),
  test('isLinkLocalUnicast', isLinkLocalUnicast),
  test('isPrivate', isPrivate),
  global('cidr', [string], cidr, ofAddress(toCidr)),
  global(
    'isCIDR',
    [string],
    bool,
    ofAddress((text) => parseCidr(text) !== null),
  ),
  member('containsIP', [cidr, ip], bool, (_: Budget, range: Cidr, address: Ip) => range.contains(address)),
  member('containsIP', [cidr, string], bool, (budget: Budget, range: Cidr, text: string) => {
    const address = ofAddress(toIp)(budget, text);
    return address instanceof CelError ? address : range.contains(address);
  }),
  member('containsCIDR', [cidr, cidr], bool, (_: Budget, range: Cidr, other: Cidr) =>
    range.containsRange(other),
  ),
  member('containsCIDR', [cidr, string], bool, (budget: Budget, range: Cidr, text: string) => {
    const other = ofAddress(toCidr)(budget, text);
    return other instanceof CelError ? other : range.containsRange(other);
  }),
  member('ip', [cidr], ip, (_: Budget, range: Cidr) => range.ip),
  member('masked', [cidr], cidr, (_: Budget, range: Cidr) => range.masked()),
  member('prefixLength', [cidr], int, (_: Budget, range: Cidr) => range.prefix),
  global('string', [ip], string, (_: Budget, address: Ip) => String(address)),
  global('string', [cidr], string, (_: Budget, range: Cidr) => String(range)),
  global(
    'url',
    [string],
    urlType,
    ofText((text) => parseUrl(text) ?? NOT_URL),
  ),
  global(
    'isURL',
    [string],
    bool,
    ofText((text) => parseUrl(text) !== null),
  ),
  global(
    'emailDomain',
    [string],
    string,
    ofText((text) => emailDomain(text) ?? NOT_EMAIL),
  ),
];
