import {
  type Cidr,
  type Ip,
  isDomain,
  isGlobalUnicast,
  isLinkLocalMulticast,
  isLinkLocalUnicast,
  isLoopback,
  isPrivate,
  isUnspecified,
  parseCidr,
  parseIp,
  parseIpv4,
  parseIpv6,
  unmapped,
} from '../address.ts';
import { type Budget, spend } from '../budget.ts';
import { global, member, type Overload } from '../environment.ts';
import { CelError, SPENT } from '../error.ts';
import { types } from '../type.ts';

const LOCAL = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]+$/;
// A name in front of `<…>` must not contain anything that could begin another address.
const NAMED = /^(?:"[^"<>@,;:\\\p{Cc}]*" *|[^"<>@,;:\\\p{Cc}]*)<([^<>]*)>$/u;

/**
 * The domain of one mail address (`ann@example.com` or `Ann <ann@example.com>`), in lower case. Null for anything that
 * a mail program could read as another address or as several.
 */
function emailDomain(text: string): string | null {
  const address = NAMED.exec(text)?.[1] ?? text;
  const at = address.indexOf('@');
  const domain = address
    .slice(at + 1)
    .toLowerCase()
    .replace(/\.$/, '');
  return at > 0 && LOCAL.test(address.slice(0, at)) && isDomain(domain) ? domain : null;
}

/** The parts of a URL as the program that opens it understands them. */
interface Url {
  /** Lower case. */
  readonly scheme: string;
  /** Lower case, without a dot at the end and without brackets; `''` for a URL without one. */
  readonly host: string;
  /** The default port of the scheme when none is given; 0 when neither is known. */
  readonly port: number;
  /** With `.` and `..` resolved, and letters, digits and `-._~` not percent-encoded. */
  readonly path: string;
  /** By name, decoded, in their order. */
  readonly query: ReadonlyMap<string, readonly string[]>;
}

const PORTS: ReadonlyMap<string, number> = new Map([
  ['http', 80],
  ['https', 443],
  ['ws', 80],
  ['wss', 443],
  ['ftp', 21],
]);

const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*$/;
const NUMERIC_LABEL = /^(?:\d+|0x[0-9a-f]*)$/;
const PORT = /^\d{1,5}$/;
// Browsers and HTTP libraries drop or replace these, each in its own way.
const AMBIGUOUS = /[\p{Cc}\s\\\ufffd]/u;

/**
 * Reads an absolute URL. Null for one that two programs could open at two hosts, because a policy that allows the host
 * it reads must not let through a request to another one: white space, backslashes, a missing `//`, more than one `@`,
 * numbers that are no plain IPv4 address, hosts with letters outside of ASCII.
 */
function parseUrl(text: string): Url | null {
  const colon = text.indexOf(':');
  const scheme = text.slice(0, Math.max(colon, 0)).toLowerCase();
  if (!SCHEME.test(scheme) || AMBIGUOUS.test(text) || !text.isWellFormed()) return null;
  const [beforeFragment = ''] = text.slice(colon + 1).split('#', 1);
  const mark = beforeFragment.indexOf('?');
  const hierarchy = mark < 0 ? beforeFragment : beforeFragment.slice(0, mark);
  const query = readQuery(mark < 0 ? '' : beforeFragment.slice(mark + 1));
  const isWeb = PORTS.has(scheme);
  if (!hierarchy.startsWith('//')) {
    return isWeb ? null : { scheme, host: '', port: 0, path: normalPath(hierarchy), query };
  }
  const slash = hierarchy.indexOf('/', 2);
  const authority = readAuthority(slash < 0 ? hierarchy.slice(2) : hierarchy.slice(2, slash), isWeb);
  if (authority === null) return null;
  const path = normalPath(slash < 0 ? '' : hierarchy.slice(slash));
  const port = authority.port ?? PORTS.get(scheme) ?? 0;
  return { scheme, host: authority.host, port, path: path === '' && isWeb ? '/' : path, query };
}

function readAuthority(authority: string, isWeb: boolean): { host: string; port: number | null } | null {
  const at = authority.indexOf('@');
  if (at !== authority.lastIndexOf('@')) return null;
  const [, name = '', port = ''] = /^(\[[^\]]*\]|[^:[\]]*)(?::(.*))?$/.exec(authority.slice(at + 1)) ?? [];
  if (port !== '' && (!PORT.test(port) || Number(port) > 65_535)) return null;
  const host = name === '' && !isWeb && at < 0 ? '' : readHost(name);
  return host === null ? null : { host, port: port === '' ? null : Number(port) };
}

function readHost(name: string): string | null {
  if (name.startsWith('[')) {
    const ip = parseIpv6(name.slice(1, -1));
    return ip === null ? null : String(unmapped(ip));
  }
  const host = name.toLowerCase().replace(/\.$/, '');
  if (!isDomain(host)) return null;
  const last = host.slice(host.lastIndexOf('.') + 1);
  return NUMERIC_LABEL.test(last) && parseIpv4(host) === null ? null : host;
}

const UNRESERVED = /^[A-Za-z0-9._~-]$/;

/** Two paths that mean the same by RFC 3986 (6.2.2) have one form: `%2e%2e` is `..`, and `%61` is `a`. */
function normalPath(path: string): string {
  const decoded = path.replace(/%([0-9A-Fa-f]{2})/g, (whole, digits: string) => {
    const char = String.fromCharCode(Number.parseInt(digits, 16));
    return UNRESERVED.test(char) ? char : whole.toUpperCase();
  });
  if (!decoded.startsWith('/')) return decoded;
  const kept: string[] = [];
  const segments = decoded.split('/').slice(1);
  for (const segment of segments) {
    if (segment === '..') kept.pop();
    else if (segment !== '.') kept.push(segment);
  }
  const last = segments.at(-1);
  if (last === '.' || last === '..') kept.push('');
  return `/${kept.join('/')}`;
}

function readQuery(text: string): ReadonlyMap<string, readonly string[]> {
  const query = new Map<string, string[]>();
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decode(equals < 0 ? pair : pair.slice(0, equals));
    const values = query.get(name);
    const value = equals < 0 ? '' : decode(pair.slice(equals + 1));
    if (values === undefined) query.set(name, [value]);
    else values.push(value);
  }
  return query;
}

/** As HTML forms encode it; what is not UTF-8 stays as it is. */
function decode(text: string): string {
  const spaced = text.replaceAll('+', ' ');
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}

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
const ADDRESS_STEPS = 150;
const RANGES_STEPS = 80;
const MAIL_STEPS = 50;
const WRITING_STEPS = 300;
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

const written = <Value extends Ip | Cidr>(budget: Budget, value: Value): string | CelError =>
  spend(budget, WRITING_STEPS) ? String(value) : SPENT;

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
  global('string', [ip], string, written<Ip>),
  global('string', [cidr], string, written<Cidr>),
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
  global('emailDomain', [string], string, (budget: Budget, text: string) =>
    spend(budget, text.length + MAIL_STEPS) ? (emailDomain(text) ?? NOT_EMAIL) : SPENT,
  ),
];
