const parts = /^(?:([A-Za-z][\w+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(\?[^#]*)?/;

/** Resolves a reference without its fragment against a base (RFC 3986, section 5.2). */
export function resolveUri(base: string, reference: string): string {
  const [, scheme, authority, path = '', query] = parts.exec(reference) ?? [];
  if (scheme !== undefined) return join(scheme, authority, withoutDots(path), query);
  const [, baseScheme, baseAuthority, basePath = '', baseQuery] = parts.exec(base) ?? [];
  if (authority !== undefined) return join(baseScheme, authority, withoutDots(path), query);
  if (path === '') return join(baseScheme, baseAuthority, basePath, query ?? baseQuery);
  const isAbsolute = path.startsWith('/');
  const folder = basePath.slice(0, basePath.lastIndexOf('/') + 1);
  const root = folder === '' && baseAuthority !== undefined ? '/' : folder;
  return join(baseScheme, baseAuthority, withoutDots(isAbsolute ? path : root + path), query);
}

const join = (scheme = '', authority: string | undefined, path: string, query = ''): string =>
  `${scheme === '' ? '' : `${scheme}:`}${authority === undefined ? '' : `//${authority}`}${path}${query}`;

function withoutDots(path: string): string {
  if (!path.includes('.')) return path;
  const kept: string[] = [];
  const names = path.split('/');
  for (const [place, name] of names.entries()) {
    if (name !== '.' && name !== '..') kept.push(name);
    else {
      if (name === '..' && kept.length > 1) kept.pop();
      if (place === names.length - 1) kept.push('');
    }
  }
  return kept.join('/');
}

/** A reference in two: what names the schema, and the decoded fragment. Throws an `Error` when it cannot be decoded. */
export function splitReference(reference: string): { uri: string; fragment: string } {
  const at = reference.indexOf('#');
  if (at < 0) return { uri: reference, fragment: '' };
  try {
    return { uri: reference.slice(0, at), fragment: decodeURIComponent(reference.slice(at + 1)) };
  } catch {
    throw new Error(`the reference "${reference}" is not percent-encoded as it must be`);
  }
}
