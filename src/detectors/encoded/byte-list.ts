import { BLANK, COMMA, DIGIT_0, DIGIT_9, LINE_FEED } from '../text/ascii.ts';
import { byteAt, hexAt } from '../text/read.ts';
import type { Text } from '../text/text.ts';
import { type ByteBuffer, hexByte } from './decode.ts';

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
    if (b[i] === DIGIT_0 && b[i + 1] === LOWER_X) i += 2;
    const group = groupSize(b, i);
    if (group === 0) break;
    for (let k = 0; k < group; k += 2) out.push(hexByte(b, i + k));
    i += group;
    last = i;
    const next = afterSeparator(b, i);
    if (next === 0) break;
    i = next;
  }
  if (b[last] === BLANK && b[last + 1] === BLANK) while (b[last] !== LINE_FEED && last < end) last++;
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
  if (b[at] === COMMA) at++;
  while (b[at] === BLANK && at - i < 3) at++;
  if (groupBegins(b, at) && at > i) return at;
  // the rest of a line of a hex dump, where the text stands again, and the offset of the next line
  while (b[at] !== LINE_FEED && b[at] !== 0 && at - i < 90) at++;
  if (b[at] !== LINE_FEED) return 0;
  at++;
  const line = at;
  while (hexAt(b, at) < 16) at++;
  if (at - line < 6 || at - line > 16) return groupBegins(b, line) ? line : 0;
  while ((b[at] === COLON || b[at] === BLANK || b[at] === BAR) && at - line < 22) at++;
  return groupBegins(b, at) ? at : 0;
}

function groupBegins(b: Uint8Array, at: number): boolean {
  return isHexPair(b, at) || (b[at] === DIGIT_0 && b[at + 1] === LOWER_X);
}

/** Decimal numbers below 256 with commas between them. */
function decimals({ bytes: b, end }: Text, from: number, out: ByteBuffer): number {
  let i = from;
  let last = 0;
  while (i < end) {
    let value = 0;
    const begin = i;
    while (i - begin < 4 && byteAt(b, i) >= DIGIT_0 && byteAt(b, i) <= DIGIT_9)
      value = value * 10 + byteAt(b, i++) - DIGIT_0;
    if (i === begin || value > 255) break;
    out.push(value);
    last = i;
    if (b[i] !== COMMA) break;
    i++;
    while ((b[i] === BLANK || b[i] === LINE_FEED) && i - last < 12) i++;
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
