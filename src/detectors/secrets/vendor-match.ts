import { CHECKSUM } from '../hits.ts';
import type { Pass } from '../pass.ts';
import { tagId } from '../taxonomy.ts';
import { BACKSLASH, BLANK, CARRIAGE_RETURN, FULL_STOP, LINE_FEED, PLUS, SLASH } from '../text/ascii.ts';
import { byteAt, unitAt } from '../text/read.ts';
import { ALPHABET, BASE64 } from './alphabet.ts';
import { QUOTE } from './labels.ts';
import { looksDrawn } from './randomness.ts';
import { type VendorToken, vendorTokens } from './vendors.ts';

const NONE: readonly VendorToken[] = [];
/** Tokens by their first two characters. */
const buckets: (readonly VendorToken[])[] = new Array(128 * 128).fill(NONE);
/** What two characters may be: the first of a token, or the last before a dash or low line of its prefix. */
const OPENS = 1;
const ENDS_PREFIX = 2;
const PAIRS = new Uint8Array(128 * 128);

const pairOf = (first: number, second: number): number => ((first & 127) << 7) | (second & 127);

function mark(pair: number, bit: number): void {
  PAIRS[pair] = byteAt(PAIRS, pair) | bit;
}

for (const token of vendorTokens) {
  const { prefix } = token;
  const pair = pairOf(prefix.charCodeAt(0), prefix.charCodeAt(1));
  // longer prefixes first: sk-ant- before sk-
  buckets[pair] = [...(buckets[pair] as readonly VendorToken[]), token].sort(
    (x, y) => y.prefix.length - x.prefix.length,
  );
  mark(pair, OPENS);
  for (let i = 2; i < prefix.length; i++) {
    if (/[-_.~]/.test(prefix.charAt(i)))
      mark(pairOf(prefix.charCodeAt(i - 2), prefix.charCodeAt(i - 1)), ENDS_PREFIX);
  }
}
mark(pairOf(101, 121), OPENS); // eyJ of a JSON web token

/** Whether any token begins with the two bytes at `from`: tells nearly every word that it is none. */
export function opensVendor(b: Uint8Array, from: number): boolean {
  return (byteAt(PAIRS, pairOf(byteAt(b, from), byteAt(b, from + 1))) & OPENS) !== 0;
}

/** Whether the prefix of any token has the two bytes before the dash or low line at `at`. */
export function endsPrefix(b: Uint8Array, at: number): boolean {
  return (byteAt(PAIRS, pairOf(byteAt(b, at - 2), byteAt(b, at - 1))) & ENDS_PREFIX) !== 0;
}

/** A vendor's token that begins at `from`; returns where it ends, or 0. */
export function vendorToken(pass: Pass, from: number): number {
  const b = pass.text.bytes;
  if (from < pass.overlongEnd) return 0;
  const candidates = buckets[pairOf(byteAt(b, from), byteAt(b, from + 1))] as readonly VendorToken[];
  for (let k = 0; k < candidates.length; k++) {
    const token = candidates[k] as VendorToken;
    if (!startsWith(b, from, token.prefix)) continue;
    const end = bodyEnd(pass, from + token.prefix.length, token);
    if (end === 0 || (token.isDrawn && !looksDrawn(b, from + token.prefix.length, end))) continue;
    if (token.isFaint && (isBase64Only(b[from - 1]) || isBase64Only(b[end]))) continue;
    pass.found(token.tag, CHECKSUM, from, end);
    return token.tag === ACCESS_KEY ? secretBeside(pass, end) : end;
  }
  return 0;
}

const ACCESS_KEY = tagId('AWS_ACCESS_KEY');
const SECRET_KEY = tagId('AWS_SECRET_KEY');
const SECRET_SIZE = 40;
const PARTS = [...`"', :`].map((c) => c.charCodeAt(0));
const MAX_PARTS = 4;

/** AWS: the secret of 40 characters right behind the access key that ends at `at`, in a row or among arguments. Returns where all ends. */
function secretBeside(pass: Pass, at: number): number {
  const b = pass.text.bytes;
  let from = at;
  while (from - at < MAX_PARTS && PARTS.includes(byteAt(b, from))) from++;
  let to = from;
  while (to - from <= SECRET_SIZE && unitAt(ALPHABET, byteAt(b, to)) & BASE64) to++;
  if (from === at || to - from !== SECRET_SIZE || !looksDrawn(b, from, to)) return at;
  pass.found(SECRET_KEY, CHECKSUM, from, to);
  return to;
}

/** Bytes that base64 has and tokens of letters and digits do not. */
function isBase64Only(c: number | undefined): boolean {
  return c === PLUS || c === SLASH;
}

function startsWith(b: Uint8Array, from: number, prefix: string): boolean {
  for (let i = 0; i < prefix.length; i++) if (b[from + i] !== prefix.charCodeAt(i)) return false;
  return true;
}

/** End of a body of the right alphabet, length and variety; a line break inside one of fixed length is passed over. */
function bodyEnd(pass: Pass, from: number, token: VendorToken): number {
  const { bytes: b, end } = pass.text;
  const { alphabet, min, max } = token;
  let read = 0;
  let low = 0;
  let high = 0;
  let capitals = 0;
  let i = from;
  for (; i < end && read <= max; i++) {
    const c = byteAt(b, i);
    if (unitAt(ALPHABET, c) & alphabet) {
      read++;
      if (c < 64) low |= 1 << (c & 31);
      else high |= 1 << (c & 31);
      if (c > 64 && c < 91) capitals++;
    } else {
      const size = read > 0 && read < min ? partingSize(b, i) : 0;
      if (size === 0 || (unitAt(ALPHABET, byteAt(b, i + size)) & alphabet) === 0) break;
      i += size - 1;
    }
  }
  if (b[i - 1] === FULL_STOP && read > min) {
    i--;
    read--;
  }
  if (read > max) pass.overlongEnd = i;
  if (read < min || read > max || (token.isShort && capitals === 0)) return 0;
  return bitCount(low) + bitCount(high) < Math.min(8, min / 3) ? 0 : i; // xxxxxxxx: a placeholder
}

const MAX_PARTING = 12;

/** Size of what stands between two parts of a token: a line break, with the backslash of a shell before it, or quotes that end and begin literals beside each other. */
function partingSize(b: Uint8Array, at: number): number {
  let i = at;
  const quote = byteAt(b, i);
  if (QUOTE[quote] === 1) {
    i++;
    while (i - at < MAX_PARTING && (byteAt(b, i) <= BLANK || b[i] === BACKSLASH)) i++;
    return b[i] === quote ? i + 1 - at : 0;
  }
  if (b[i] === BACKSLASH) i++;
  const line = i;
  while (isBreak(byteAt(b, i)) && i - line < 2) i++;
  return i > line ? i - at : 0;
}

function isBreak(c: number): boolean {
  return c === LINE_FEED || c === CARRIAGE_RETURN;
}

function bitCount(bits: number): number {
  let n = 0;
  for (let x = bits; x !== 0; x &= x - 1) n++;
  return n;
}
