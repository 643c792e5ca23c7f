import { isDomain } from './domain.ts';

const LOCAL = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]+$/;
// A name in front of `<…>` must not contain anything that could begin another address.
const NAMED = /^(?:"[^"<>@,;:\\\p{Cc}]*" *|[^"<>@,;:\\\p{Cc}]*)<([^<>]*)>$/u;

/**
 * The domain of one mail address (`ann@example.com` or `Ann <ann@example.com>`), in lower case. Null for anything that
 * a mail program could read as another address or as several.
 */
export function emailDomain(text: string): string | null {
  const address = NAMED.exec(text)?.[1] ?? text;
  const at = address.indexOf('@');
  const domain = address
    .slice(at + 1)
    .toLowerCase()
    .replace(/\.$/, '');
  return at > 0 && LOCAL.test(address.slice(0, at)) && isDomain(domain) ? domain : null;
}
