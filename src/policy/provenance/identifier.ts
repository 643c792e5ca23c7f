/** Longest text that is kept as one identifier, in characters. */
export const longestIdentifier = 128;

const separators = /[\s()\-/]+/g;
const numberLike = /^\+?[\d(][\d\s()\-/]*$/;
const grouped = /^[A-Za-z]{2}\d{2}[A-Za-z0-9 -]*$/;
const account = /^[A-Za-z]{2}\d{2}[A-Za-z0-9]{8,30}$/;
const scheme = /^(?:https?:\/\/|mailto:)/i;
const email = /^[^\s@/]+@[^\s@/]+$/;
const edges = /^[\s"'`<([{*]+|[\s"'`>)\]}*.,;:!?]+$/g;
const anEdge = /^[\s"'`<([{*]|[\s"'`>)\]}*.,;:!?]$/;
const otherSpace = /\s\s|[^\S ]/;
const notAscii = /[^\0-\x7f]/;

/**
 * The form in which equal identifiers are equal texts: a number without its separators, an address in lower case, a URL without
 * its scheme. Null for what is no identifier: too long, or nothing. The case of ids and of paths is kept: two ids that
 * differ in it are two.
 */
export function identifierOf(text: string): string | null {
  // Far longer ones are not looked at: normalizing them is not free.
  if (text.length > 4 * longestIdentifier) return null;
  const plain = plainOf(text);
  if (plain.length > longestIdentifier || !/[\p{L}\p{N}]/u.test(plain)) return null;
  if (numberLike.test(plain)) return plain.replaceAll(separators, '') || null;
  if (grouped.test(plain) && digitsIn(plain) >= 8) {
    const joined = plain.replaceAll(/[ -]/g, '');
    if (account.test(joined)) return joined.toUpperCase();
  }
  const bare = plain.replace(scheme, '');
  if (email.test(bare)) return bare.toLowerCase();
  const slash = bare.indexOf('/');
  if (bare !== plain || slash > 0) return urlOf(bare, slash);
  return /\d/.test(bare) ? bare : bare.toLowerCase();
}

/** Without what surrounds it, and with single spaces. The tests are several times faster than what they spare most texts. */
function plainOf(text: string): string {
  let plain = notAscii.test(text) ? text.normalize('NFKC') : text;
  if (anEdge.test(plain)) plain = plain.replaceAll(edges, '');
  return otherSpace.test(plain) ? plain.replaceAll(/\s+/g, ' ') : plain;
}

function urlOf(bare: string, slash: number): string {
  const host = slash < 0 ? bare : bare.slice(0, slash);
  const path = slash < 0 ? '' : bare.slice(slash);
  return (host.toLowerCase() + path).replace(/\/+$/, '');
}

function digitsIn(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code >= 48 && code <= 57) count++;
  }
  return count;
}
