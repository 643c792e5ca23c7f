import * as Char from './chars.ts';

/** Classes of a normalised byte, as bits; a word is a run of the WORD classes. */
export const DIGIT = 1;
export const UPPER = 2;
export const LOWER = 4;
export const UNDERSCORE = 8;
/** Letters of scripts that separate words (Greek, Cyrillic, …). */
export const LETTER = 16;
/** Letters of scripts that do not: a number may follow them without a space. */
export const IDEOGRAPH = 32;
export const SPACE = 64;
export const WORD = DIGIT | UPPER | LOWER | UNDERSCORE | LETTER;
export const ALNUM = DIGIT | UPPER | LOWER;
export const ALPHA = UPPER | LOWER;

/** A character that is invisible, and one that stands for several: both need the second view of a text. */
export const INVISIBLE = 0x1e;
export const EXPANDS = 0x1d;
/** Control characters, and what replaces bytes that are no text. */
export const CONTROL = 1;
/** Every other character that is neither letter nor digit. */
export const SYMBOL = 0xff;

export const CLASS = new Uint8Array(256);
/** Lower case for A to Z, every other byte as it is. */
export const LOWERED = new Uint8Array(256);
/** Value of a hexadecimal digit, 255 for any other byte. */
export const HEX = new Uint8Array(256).fill(255);

for (let c = 0; c < 256; c++) {
  LOWERED[c] = c >= 65 && c <= 90 ? c + 32 : c;
  if (c >= 48 && c <= 57) CLASS[c] = DIGIT;
  else if (c >= 65 && c <= 90) CLASS[c] = UPPER;
  else if (c >= 97 && c <= 122) CLASS[c] = LOWER;
  else if (c === Char.LOW_LINE_SIGN) CLASS[c] = UNDERSCORE;
  else if (c === Char.BLANK || c === 9 || c === Char.LINE_FEED || c === Char.CARRIAGE_RETURN)
    CLASS[c] = SPACE;
  else if (c === SYMBOL) CLASS[c] = 0;
  else if (c >= 0xc0) CLASS[c] = IDEOGRAPH;
  else if (c >= 0x80) CLASS[c] = LETTER;
  if (c >= 48 && c <= 57) HEX[c] = c - 48;
  if (c >= 97 && c <= 102) HEX[c] = c - 87;
  if (c >= 65 && c <= 70) HEX[c] = c - 55;
}

/**
 * Typed reads. An index may be out of range to the compiler; here it never is: every text has zero bytes around it, and
 * tables have an entry for each byte. One function for each type of array, so that each stays fast.
 */
export function byteAt(b: Uint8Array, i: number): number {
  return b[i] as number;
}

export function unitAt(a: Uint16Array, i: number): number {
  return a[i] as number;
}

export function intAt(a: Int32Array, i: number): number {
  return a[i] as number;
}

/** The entry of a table of numbers. */
export function entry(table: readonly number[], i: number): number {
  return table[i] as number;
}

/** The class bits of a byte, and of the byte at `i`. */
export function classOf(byte: number): number {
  return CLASS[byte] as number;
}

export function classAt(b: Uint8Array, i: number): number {
  return CLASS[b[i] as number] as number;
}

/** Whether the byte at `i` has one of these class bits. */
export function is(b: Uint8Array, i: number, bits: number): boolean {
  return ((CLASS[b[i] as number] as number) & bits) !== 0;
}

/** Value of the hexadecimal digit at `i`, above 15 for any other byte. */
export function hexAt(b: Uint8Array, i: number): number {
  return HEX[b[i] as number] as number;
}

export function loweredAt(b: Uint8Array, i: number): number {
  return LOWERED[b[i] as number] as number;
}

/** Whether a byte or unit is a single or double quotation mark. */
export function isQuote(c: number | undefined): boolean {
  return c === Char.DOUBLE_QUOTE || c === Char.SINGLE_QUOTE;
}

/** Whether the lower-case word stands at `at`, in any case. */
export function isAt(b: Uint8Array, at: number, word: string): boolean {
  for (let i = 0; i < word.length; i++) if (LOWERED[b[at + i] as number] !== word.charCodeAt(i)) return false;
  return true;
}

/** Whether the text stands at `at`, as it is written. */
export function isExactly(b: Uint8Array, at: number, text: string): boolean {
  for (let i = 0; i < text.length; i++) if (b[at + i] !== text.charCodeAt(i)) return false;
  return true;
}

/** Whether the lower-case word ends at `to`, in any case. */
export function endsWith(b: Uint8Array, to: number, word: string): boolean {
  return isAt(b, to - word.length, word);
}

/** The first byte from `at` on that is no white space. */
export function afterSpace(b: Uint8Array, at: number): number {
  let i = at;
  while (is(b, i, SPACE)) i++;
  return i;
}

/** Whether a byte breaks a line. */
export function isBreak(c: number | undefined): boolean {
  return c === Char.LINE_FEED || c === Char.CARRIAGE_RETURN;
}

/** How many bits are 1. */
export function bitCount(bits: number): number {
  let n = 0;
  for (let left = bits; left !== 0; left &= left - 1) n++;
  return n;
}

const ANY_SIZE = 1 << 30;

/** Where the bytes of these classes end that begin at `from`, at most so many. */
export function endOf(b: Uint8Array, from: number, bits: number, max = ANY_SIZE): number {
  let to = from;
  while (to - from < max && is(b, to, bits)) to++;
  return to;
}

/** Where the bytes of these classes begin that end at `to`, at most so many. */
export function startOf(b: Uint8Array, to: number, bits: number, max = ANY_SIZE): number {
  let from = to;
  while (to - from < max && is(b, from - 1, bits)) from--;
  return from;
}

/** The first byte from `at` on that is no blank. */
export function afterBlanks(b: Uint8Array, at: number): number {
  let i = at;
  while (b[i] === Char.BLANK) i++;
  return i;
}

/** 1 for each of these characters: a set of bytes. */
export function setOf(chars: string): Uint8Array {
  const set = new Uint8Array(256);
  for (const c of chars) set[c.charCodeAt(0)] = 1;
  return set;
}
