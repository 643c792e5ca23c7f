import { ALPHABET, BASE64, BASE64_URL } from '../secrets/alphabet.ts';

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
