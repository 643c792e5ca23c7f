import { HYPHEN, LOWER_A, UPPER_A, UPPER_Z } from '../text/ascii.ts';
import { HEX } from '../text/bytes.ts';
import { byteAt, hexAt } from '../text/read.ts';

/** Decoded bytes, in a buffer that grows and is reused. */
export class ByteBuffer {
  bytes: Uint8Array = new Uint8Array(256);
  length = 0;

  push(byte: number): void {
    if (this.length === this.bytes.length) {
      const larger = new Uint8Array(2 * this.length);
      larger.set(this.bytes);
      this.bytes = larger;
    }
    this.bytes[this.length++] = byte;
  }
}

const NO_VALUE = 255;
/** Six bits for each character of base64 and base64url (RFC 4648). */
const BASE64_VALUE = new Uint8Array(256).fill(NO_VALUE);
[...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].forEach((c, i) => {
  BASE64_VALUE[c.charCodeAt(0)] = i;
});
BASE64_VALUE[HYPHEN] = 62;
BASE64_VALUE['_'.charCodeAt(0)] = 63;

/** Decodes base64 or base64url; characters outside the alphabet, such as line breaks, are skipped. */
export function decodeBase64(b: Uint8Array, from: number, to: number, out: ByteBuffer): void {
  out.length = 0;
  let bits = 0;
  let held = 0;
  for (let i = from; i < to; i++) {
    const value = byteAt(BASE64_VALUE, byteAt(b, i));
    if (value === NO_VALUE) continue;
    held = ((held << 6) | value) & 0xfffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    out.push((held >> bits) & 255);
  }
}

/** Decodes pairs of hexadecimal digits. */
export function decodeHex(b: Uint8Array, from: number, to: number, out: ByteBuffer): void {
  out.length = 0;
  for (let i = from; i + 1 < to; i += 2) out.push(hexByte(b, i));
}

/** The byte two hexadecimal digits stand for; over 255 when they are none. */
export function hexByte(b: Uint8Array, at: number): number {
  const high = hexAt(b, at);
  const low = hexAt(b, at + 1);
  return high > 15 || low > 15 ? 256 : high * 16 + low;
}

/** Decodes base32 (RFC 4648): five bits for A to Z and 2 to 7. */
export function decodeBase32(b: Uint8Array, from: number, to: number, out: ByteBuffer): void {
  out.length = 0;
  let bits = 0;
  let held = 0;
  for (let i = from; i < to; i++) {
    const c = byteAt(b, i);
    const value = c >= UPPER_A && c <= UPPER_Z ? c - UPPER_A : c - 24;
    held = ((held << 5) | value) & 0xfffff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    out.push((held >> bits) & 255);
  }
}

/** Whether all characters are those of base32. */
export function isBase32(b: Uint8Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) {
    const c = byteAt(b, i);
    if (!((c >= UPPER_A && c <= UPPER_Z) || (c >= 50 && c <= 55))) return false;
  }
  return true;
}

/** Whether all characters are hexadecimal digits, in one case. */
export function isHex(b: Uint8Array, from: number, to: number): boolean {
  let seen = 0;
  for (let i = from; i < to; i++) {
    const c = byteAt(b, i);
    if (byteAt(HEX, c) > 15) return false;
    if (c >= UPPER_A) seen |= c >= LOWER_A ? 1 : 2;
  }
  return seen !== 3;
}
