import { AppError } from '../../../errors.ts';

/**
 * The path and query that a server behind a gateway will see, from the target of a request. The path is in its normal form (RFC
 * 3986, 6.2.2): a rule about `/admin` must not be evaded by `/%61dmin`, `//admin` or `/x/../admin`. Throws AppError for a path that
 * servers read differently: `/x/..%2fadmin`, `/x/..;/admin`, `/x#/../admin`.
 */
export function targetOf(target: string): { path: string; query: string } {
  const at = target.indexOf('?');
  const escaped = at === -1 ? target : target.slice(0, at);
  const unescaped = escaped.replace(/%([2-7][0-9a-f])/gi, (code, digits: string) => {
    const character = String.fromCharCode(Number.parseInt(digits, 16));
    return /[\w.~-]/.test(character) ? character : code;
  });
  const path = URL.parse(`http://host${unescaped}`)?.pathname.replace(/\/{2,}/g, '/');
  if (path === undefined || escaped.includes('#') || path.split(/\/|%2f|%5c/i).some(isDotSegment)) {
    throw new AppError('invalid', 'the path is ambiguous: it has a dot segment in an unusual form, or #');
  }
  return { path, query: at === -1 ? '' : target.slice(at + 1) };
}

/** Some servers cut a segment off at its `;`. */
const isDotSegment = (segment: string): boolean => /^\.{1,2}(?:;|$)/.test(segment);
