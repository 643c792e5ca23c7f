import { CHECKSUM } from '../hits.ts';
import type { Pass } from '../pass.ts';
import { ALPHABET } from './alphabet.ts';
import { type VendorToken, vendorTokens } from './vendors.ts';

const NONE: readonly VendorToken[] = [];
/** Tokens by their first two characters: one look-up tells nearly every word that it is none. */
const buckets: (readonly VendorToken[])[] = new Array(128 * 128).fill(NONE);
for (const token of vendorTokens) {
  const key = (token.prefix.charCodeAt(0) << 7) | token.prefix.charCodeAt(1);
  // longer prefixes first: sk-ant- before sk-
  buckets[key] = [...(buckets[key] ?? NONE), token].sort((x, y) => y.prefix.length - x.prefix.length);
}

/** A vendor's token that begins at `from`; answers where it ends, or 0. */
export function vendorToken(pass: Pass, from: number): number {
  const b = pass.text.bytes;
  const key = ((b[from] as number) << 7) | (b[from + 1] as number);
  const candidates = buckets[key];
  if (candidates === undefined || candidates.length === 0) return 0;
  for (let k = 0; k < candidates.length; k++) {
    const token = candidates[k] as VendorToken;
    if (!startsWith(b, from, token.prefix)) continue;
    const end = bodyEnd(b, from + token.prefix.length, token, pass.text.end);
    if (end === 0) continue;
    pass.found(token.tag, CHECKSUM, from, end);
    return end;
  }
  return 0;
}

function startsWith(b: Uint8Array, from: number, prefix: string): boolean {
  for (let i = 0; i < prefix.length; i++) if (b[from + i] !== prefix.charCodeAt(i)) return false;
  return true;
}

/** End of a body of the right alphabet, length and variety; a line break inside one of fixed length is passed over. */
function bodyEnd(b: Uint8Array, from: number, token: VendorToken, end: number): number {
  const { alphabet, min, max } = token;
  let read = 0;
  let low = 0;
  let high = 0;
  let i = from;
  for (; i < end && read <= max; i++) {
    const c = b[i] as number;
    if ((ALPHABET[c] as number) & alphabet) {
      read++;
      if (c < 64) low |= 1 << (c & 31);
      else high |= 1 << (c & 31);
    } else if (
      !(
        isBreak(c) &&
        read > 0 &&
        read < min &&
        (isBreak(b[i + 1] as number) || (ALPHABET[b[i + 1] as number] as number) & alphabet)
      )
    )
      break;
  }
  if (read < min || read > max) return 0;
  return bitCount(low) + bitCount(high) < Math.min(8, min / 3) ? 0 : i; // xxxxxxxx: a placeholder
}

function isBreak(c: number): boolean {
  return c === 10 || c === 13;
}

function bitCount(bits: number): number {
  let n = 0;
  for (let x = bits; x !== 0; x &= x - 1) n++;
  return n;
}
