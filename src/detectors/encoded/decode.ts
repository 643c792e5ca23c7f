import { byteAt, HEX, hexAt } from '../text/bytes.ts';
import * as Char from '../text/chars.ts';
import type { Text } from '../text/text.ts';

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
const CAPITALS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
/** The bits that each character stands for (RFC 4648): six in base64 and base64url, five in base32. */
const BASE64_VALUE = valuesOf(`${CAPITALS}${CAPITALS.toLowerCase()}0123456789+/`);
BASE64_VALUE[Char.HYPHEN] = 62;
BASE64_VALUE[Char.LOW_LINE_SIGN] = 63;
const BASE32_VALUE = valuesOf(`${CAPITALS}234567`);

function valuesOf(alphabet: string): Uint8Array {
  const values = new Uint8Array(256).fill(NO_VALUE);
  for (const [value, c] of [...alphabet].entries()) values[c.charCodeAt(0)] = value;
  return values;
}

/** Decodes base64 or base64url; characters outside the alphabet, such as line breaks, are skipped. */
export function decodeBase64(b: Uint8Array, from: number, to: number, out: ByteBuffer): void {
  decodeBits(b.subarray(from, to), BASE64_VALUE, 6, out);
}

/** Decodes base32. */
export function decodeBase32(b: Uint8Array, from: number, to: number, out: ByteBuffer): void {
  decodeBits(b.subarray(from, to), BASE32_VALUE, 5, out);
}

function decodeBits(b: Uint8Array, values: Uint8Array, width: number, out: ByteBuffer): void {
  out.length = 0;
  let bits = 0;
  let held = 0;
  for (let i = 0; i < b.length; i++) {
    const value = byteAt(values, byteAt(b, i));
    if (value === NO_VALUE) continue;
    held = ((held << width) | value) & 0xfffff;
    bits += width;
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

/** Whether all characters are those of base32. */
export function isBase32(b: Uint8Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (BASE32_VALUE[byteAt(b, i)] === NO_VALUE) return false;
  return true;
}

/** Whether all characters are hexadecimal digits, in one case. */
export function isHex(b: Uint8Array, from: number, to: number): boolean {
  let seen = 0;
  for (let i = from; i < to; i++) {
    const c = byteAt(b, i);
    if (byteAt(HEX, c) > 15) return false;
    if (c >= Char.UPPER_A) seen |= c >= Char.LOWER_A ? 1 : 2;
  }
  return seen !== 3;
}

/** Bytes that make a list: fewer are groups of digits of something else. */
const MIN_BYTES = 9;
const LOWER_X = 120;
const COLON = 58;
const BAR = 124;

/**
 * Reads bytes written one by one from `from` on: `6a 61 6e 65`, `6a61 6e65` in the lines of a hex dump, `0x6a, 0x61`, or
 * `106,97,110,101`. Returns where the list ends, 0 when there is none.
 */
export function readByteList(text: Text, from: number, out: ByteBuffer): number {
  out.length = 0;
  const b = text.bytes;
  const end = groupBegins(b, from) ? hexLines(text, from, out) : 0;
  if (end !== 0) return end;
  out.length = 0;
  return decimals(text, from, out);
}

function isHexPair(b: Uint8Array, at: number): boolean {
  return hexByte(b, at) < 256;
}

/** Pairs or groups of pairs with one separator between them, line after line. */
function hexLines({ bytes: b, end }: Text, from: number, out: ByteBuffer): number {
  let i = from;
  let last = 0;
  while (i < end) {
    if (b[i] === Char.DIGIT_0 && b[i + 1] === LOWER_X) i += 2;
    const group = groupSize(b, i);
    if (group === 0) break;
    for (let k = 0; k < group; k += 2) out.push(hexByte(b, i + k));
    i += group;
    last = i;
    const next = afterSeparator(b, i);
    if (next === 0) break;
    i = next;
  }
  if (b[last] === Char.BLANK && b[last + 1] === Char.BLANK)
    while (b[last] !== Char.LINE_FEED && last < end) last++;
  return out.length >= MIN_BYTES ? last : 0;
}

/** Digits of the group at `i`: 2, 4 or 8; 0 for anything else. */
function groupSize(b: Uint8Array, i: number): number {
  let n = 0;
  while (n < 9 && hexAt(b, i + n) < 16) n++;
  return n === 2 || n === 4 || n === 8 ? n : 0;
}

/** Where the next group begins after the separator at `i`; 0 when none does. */
function afterSeparator(b: Uint8Array, i: number): number {
  let at = i;
  if (b[at] === Char.COMMA) at++;
  while (b[at] === Char.BLANK && at - i < 3) at++;
  if (groupBegins(b, at) && at > i) return at;
  // the rest of a line of a hex dump, where the text stands again, and the offset of the next line
  while (b[at] !== Char.LINE_FEED && b[at] !== 0 && at - i < 90) at++;
  if (b[at] !== Char.LINE_FEED) return 0;
  at++;
  const line = at;
  while (hexAt(b, at) < 16) at++;
  if (at - line < 6 || at - line > 16) return groupBegins(b, line) ? line : 0;
  while ((b[at] === COLON || b[at] === Char.BLANK || b[at] === BAR) && at - line < 22) at++;
  return groupBegins(b, at) ? at : 0;
}

function groupBegins(b: Uint8Array, at: number): boolean {
  return isHexPair(b, at) || (b[at] === Char.DIGIT_0 && b[at + 1] === LOWER_X);
}

/** Decimal numbers below 256 with commas between them. */
function decimals({ bytes: b, end }: Text, from: number, out: ByteBuffer): number {
  let i = from;
  let last = 0;
  while (i < end) {
    let value = 0;
    const begin = i;
    while (i - begin < 4 && byteAt(b, i) >= Char.DIGIT_0 && byteAt(b, i) <= Char.DIGIT_9)
      value = value * 10 + byteAt(b, i++) - Char.DIGIT_0;
    if (i === begin || value > 255) break;
    out.push(value);
    last = i;
    if (b[i] !== Char.COMMA) break;
    i++;
    while ((b[i] === Char.BLANK || b[i] === Char.LINE_FEED) && i - last < 12) i++;
  }
  return out.length >= MIN_BYTES ? last : 0;
}

/** Whether an array holds nothing but bytes, and enough of them. */
export function isByteArray(values: readonly unknown[]): values is readonly number[] {
  if (values.length < MIN_BYTES) return false;
  for (const value of values) {
    if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > 255) return false;
  }
  return true;
}

/** Bytes that must be text for content to count as text: images, keys and hashes mostly fail within three. */
const MIN_TEXT = 18;
const ESCAPE = 27;

/** Text as UTF-16 units, in a buffer that grows and is reused. */
export class UnitBuffer {
  units: Uint16Array = new Uint16Array(256);
  length = 0;

  push(unit: number): void {
    if (this.length === this.units.length) {
      const larger = new Uint16Array(2 * this.length);
      larger.set(this.units);
      this.units = larger;
    }
    this.units[this.length++] = unit;
  }
}

/**
 * Reads decoded bytes as UTF-8 or UTF-16 (with a few Latin-1 bytes tolerated) into `out`. Returns how many bytes are text:
 * 0 when the content does not begin as text, fewer than all when it goes on as binary data.
 */
export function readText({ bytes, length }: ByteBuffer, out: UnitBuffer): number {
  out.length = 0;
  const order = wideOrder(bytes, length);
  const end = order === null ? readUtf8(bytes, length, out) : readUtf16(bytes, length, order, out);
  return end === length || end >= MIN_TEXT ? end : 0;
}

/** For UTF-16, the offset of the low byte of each unit; null for other encodings. */
function wideOrder(b: Uint8Array, n: number): 0 | 1 | null {
  if (n < 8) return null;
  if (b[0] === 0xff && b[1] === 0xfe) return 0;
  if (b[0] === 0xfe && b[1] === 0xff) return 1;
  let even = 0;
  let odd = 0;
  for (let i = 0; i < 8; i += 2) {
    if (b[i] === Char.NUL) even++;
    if (b[i + 1] === Char.NUL) odd++;
  }
  if (odd >= 3 && even === 0) return 0;
  return even >= 3 && odd === 0 ? 1 : null;
}

function readUtf16(b: Uint8Array, n: number, low: 0 | 1, out: UnitBuffer): number {
  for (let i = 0; i < n - 1; i += 2) {
    const unit = byteAt(b, i + low) | (byteAt(b, i + 1 - low) << 8);
    if (!isText(unit) || unit === 0xffff) return i;
    if (unit !== 0xfeff) out.push(unit);
  }
  return n;
}

function readUtf8(b: Uint8Array, n: number, out: UnitBuffer): number {
  let odd = 0;
  for (let i = 0; i < n; ) {
    const c = byteAt(b, i);
    if (c < 0x80) {
      if (!isText(c)) return i;
      out.push(c);
      i++;
      continue;
    }
    const size = sequence(b, i, n);
    if (size === 0) {
      // a letter of Latin-1 now and then
      if (c < 0xa0 || ++odd > 6 + i / 8) return i;
      out.push(c);
      i++;
      continue;
    }
    pushPoint(b, i, size, out);
    i += size;
  }
  return n;
}

function isText(c: number): boolean {
  return c >= 32 || c === Char.TAB || c === Char.LINE_FEED || c === Char.CARRIAGE_RETURN || c === ESCAPE;
}

/** Length of the UTF-8 sequence at `i`, 0 when there is none; one that the end cuts off counts as far as it goes. */
function sequence(b: Uint8Array, i: number, n: number): number {
  const c = byteAt(b, i);
  const size = c >= 0xf5 ? 0 : c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : c >= 0xc2 ? 2 : 0;
  for (let k = 1; k < size; k++) {
    if (i + k >= n) return n - i;
    if ((byteAt(b, i + k) & 0xc0) !== 0x80) return 0;
  }
  return size;
}

function pushPoint(b: Uint8Array, i: number, size: number, out: UnitBuffer): void {
  let point = byteAt(b, i) & (0xff >> (size + 1));
  for (let k = 1; k < size; k++) point = (point << 6) | (byteAt(b, i + k) & 0x3f);
  if (point < 0x10000) {
    out.push(point);
    return;
  }
  out.push(0xd800 + ((point - 0x10000) >> 10));
  out.push(0xdc00 + (point & 0x3ff));
}
