import { ALPHABET, BASE64, BASE64_URL } from '../secrets/alphabet.ts';
import { ALNUM, CLASS } from './bytes.ts';

/** Characters of one encoded text that are decoded at most: 48 KB of content. */
export const MAX_ENCODED = 65_536;
const PROBE = 24;
const PROBE_BYTES = 18;

const probe = new Uint16Array(PROBE);
const VALUE = new Uint8Array(256);
'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'.split('').forEach((c, i) => {
  VALUE[c.charCodeAt(0)] = i;
});
VALUE[45] = 62;
VALUE[95] = 63;

export function isEncoded(c: number): boolean {
  return ((ALPHABET[c] as number) & (BASE64 | BASE64_URL)) !== 0;
}

/** Whether the first bytes of what is encoded at `from` are text: images, keys and hashes mostly show in three. */
export function isText(b: Uint8Array, from: number): boolean {
  return decode(b, from, from + PROBE, probe) > 0;
}

/**
 * Decodes base64 or base64url (RFC 4648) from `from` to `to` into `out`, one unit a byte; answers how many.
 * It stops where the content is no longer text, and answers 0 when it does not begin as text, like images and keys.
 */
export function decode(b: Uint8Array, from: number, to: number, out: Uint16Array): number {
  let n = 0;
  let bits = 0;
  let held = 0;
  let odd = 0;
  for (let i = from; i < to; i++) {
    held = ((held << 6) | (VALUE[b[i] as number] as number)) & 0xfffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    const byte = (held >> bits) & 255;
    if (byte < 32 && byte !== 9 && byte !== 10 && byte !== 13) return n < PROBE_BYTES ? 0 : n;
    if (byte >= 0x80 && ++odd > 6 && odd > n / 2) return n < PROBE_BYTES ? 0 : n;
    out[n++] = byte;
  }
  return n;
}

/** The class of each character that base64 has, 8 for those that are neither digit nor letter; 0 for all others. */
const ENCODED_KIND = new Uint8Array(256);
for (let c = 0; c < 256; c++) if (isEncoded(c)) ENCODED_KIND[c] = (CLASS[c] as number) & ALNUM || 8;

/** Characters that are looked at together to tell encoded content from names and numbers with slashes between them. */
const STRETCH = 64;
/**
 * How many of them are of another class than the one before: 41 ± 4 of content drawn by chance, at most half where names
 * and numbers stand.
 */
const MIN_CHANGES = 32;

/**
 * End of the stretches from `from` on that are base64 of no text: digits and letters of both cases change as in nothing
 * that is written or counted, so that what stands in them is part of what is encoded.
 */
export function drawnEnd(b: Uint8Array, from: number): number {
  let start = from;
  while (isDrawn(b, start)) start += STRETCH;
  return start;
}

function isDrawn(b: Uint8Array, from: number): boolean {
  let last = 0;
  let seen = 0;
  let changes = 0;
  for (let i = from; i < from + STRETCH; i++) {
    const kind = ENCODED_KIND[b[i] as number] as number;
    if (kind === 0) return false;
    changes += ((kind ^ last) + 15) >> 4; // 1 for a change: a branch here would be guessed wrong every other time
    last = kind;
    seen |= kind;
  }
  return changes >= MIN_CHANGES && (seen & ALNUM) === ALNUM;
}
