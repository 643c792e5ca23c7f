import { CARRIAGE_RETURN, LINE_FEED, NUL, TAB } from '../text/ascii.ts';
import { byteAt } from '../text/read.ts';
import type { ByteBuffer } from './decode.ts';

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
    if (b[i] === NUL) even++;
    if (b[i + 1] === NUL) odd++;
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
  return c >= 32 || c === TAB || c === LINE_FEED || c === CARRIAGE_RETURN || c === ESCAPE;
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
