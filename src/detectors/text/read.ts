import { DOUBLE_QUOTE, SINGLE_QUOTE } from './ascii.ts';
import { CLASS, HEX, LOWERED } from './bytes.ts';

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
  return c === DOUBLE_QUOTE || c === SINGLE_QUOTE;
}

/** Whether the lower-case word stands at `at`, in any case. */
export function isAt(b: Uint8Array, at: number, word: string): boolean {
  for (let i = 0; i < word.length; i++) if (LOWERED[b[at + i] as number] !== word.charCodeAt(i)) return false;
  return true;
}
