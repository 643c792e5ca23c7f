import { AppError } from '../../../errors.ts';

/**
 * The path and query that a server behind a gateway will see, from the target of a request. The path is in its normal form (RFC
 * 3986, 6.2.2): a rule about `/admin` must not be evaded by `/%61dmin`, `//admin` or `/x/../admin`. Throws AppError for a path that
 * servers read differently.
 */
export function targetOf(target: string): { path: string; query: string } {
  const at = target.indexOf('?');
  const escaped = at === -1 ? target : target.slice(0, at);
  const mistake = unusual.find(([form]) => form.test(escaped));
  if (mistake) throw ambiguous(mistake[1]);
  const unescaped = escaped.replace(/%([2-7][0-9a-f])/gi, (code, digits: string) => {
    const character = String.fromCharCode(Number.parseInt(digits, 16));
    return /[\w.~-]/.test(character) ? character : code;
  });
  const [path, mergedFirst] = [withoutDots(unescaped), withoutDots(merged(unescaped))];
  if (path === null || path !== mergedFirst) throw ambiguous('dot segments behind empty ones');
  if (readings(path).some(isUnclear)) throw ambiguous('a dot segment or an empty one in an unusual form');
  return { path, query: at === -1 ? '' : target.slice(at + 1) };
}

/** Forms that some servers refuse, some keep, and some read as another path. */
const unusual: readonly [form: RegExp, what: string][] = [
  [/#/, '#'],
  [/\\/, 'a backslash'],
  [/[^\x21-\x7e]/, 'characters that are not escaped'],
  [/%(?![0-9a-f]{2})/i, '% without two hexadecimal digits'],
  [/%(?:[01][0-9a-f]|7f)/i, 'control characters'],
  // Decoded without a check, they are `.` and `/`.
  [/%(?:c[01]|e0%[89]|f0%8)/i, 'characters that are escaped in more bytes than they have'],
];

const ambiguous = (what: string): AppError =>
  new AppError('invalid', `the path is ambiguous, because servers read it differently: it has ${what}`);

const merged = (path: string): string => path.replace(/\/{2,}/g, '/');

/** Servers merge slashes before they resolve dot segments, or after. */
function withoutDots(path: string): string | null {
  const resolved = URL.parse(`http://host${path}`)?.pathname;
  return resolved === undefined ? null : merged(resolved);
}

/** Nobody escapes a path that often but to be misread, and each time costs a pass over it. */
const mostEscapes = 4;

/** The path as it is, and decoded once, twice, … : proxies and servers in a row may each do it. */
function readings(path: string): string[] {
  const found = [path];
  for (let last = path; found.length <= mostEscapes; ) {
    const decoded = last.replace(/%(2[ef5]|3b|5c)/gi, (_, digits: string) =>
      String.fromCharCode(Number.parseInt(digits, 16)),
    );
    if (decoded === last) return found;
    found.push(decoded);
    last = decoded;
  }
  throw ambiguous('characters that are escaped many times');
}

/** Some servers cut a segment off at its `;`, and some take `\` for `/`. */
const isUnclear = (path: string): boolean => {
  const segments = path.split(/[/\\]/).map((segment) => segment.replace(/;.*/s, ''));
  const inner = segments.slice(1, -1);
  return inner.includes('') || segments.some((segment) => segment === '.' || segment === '..');
};
