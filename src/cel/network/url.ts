import { isDomain } from './domain.ts';
import { parseIpv4, parseIpv6, unmapped } from './ip.ts';

/** What the parts of a URL mean to the program that opens it. */
export interface Url {
  /** Lower case. */
  readonly scheme: string;
  /** Lower case, without a dot at the end and without brackets; `''` for a URL without one. */
  readonly host: string;
  /** That of the scheme when none is given; 0 when neither is known. */
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
export function parseUrl(text: string): Url | null {
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
