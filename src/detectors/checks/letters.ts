import { LOWER_A } from '../text/ascii.ts';
import { byteAt, entry, loweredAt } from '../text/read.ts';

/** Reads of the letters and digits of an identifier, in any case; for the checks of kinds. */

/** Value of the digit at `i`; anything else gives no value from 0 to 9. */
export const digit = (b: Uint8Array, i: number): number => byteAt(b, i) - 48;

/** The character at `i`, in lower case. */
export const lower = (b: Uint8Array, i: number): number => loweredAt(b, i);

/** Number of the letter at `i`: 0 for a, 25 for z. */
export const letter = (b: Uint8Array, i: number): number => lower(b, i) - LOWER_A;

/** 0 to 9 for digits, 10 to 35 for letters. */
export const base36 = (b: Uint8Array, i: number): number =>
  lower(b, i) < LOWER_A ? digit(b, i) : letter(b, i) + 10;

/** Whether one of these lower-case letters or digits stands at `i`. */
export const isIn = (letters: string, b: Uint8Array, i: number): boolean =>
  letters.includes(String.fromCharCode(lower(b, i)));

/** Whether this lower-case text stands at `o`. */
export function begins(text: string, b: Uint8Array, o: number): boolean {
  for (let i = 0; i < text.length; i++) if (lower(b, o + i) !== text.charCodeAt(i)) return false;
  return true;
}

/** The number of `n` digits at `o`. */
export function numberAt(b: Uint8Array, o: number, n: number): number {
  let value = 0;
  for (let i = 0; i < n; i++) value = value * 10 + digit(b, o + i);
  return value;
}

/** German passports and identity cards: letters that no word has by chance, without vowels. */
export function germanSerial(b: Uint8Array, o: number): boolean {
  let digits = 0;
  for (let i = 0; i < 9; i++) {
    if (digit(b, o + i) >= 0 && digit(b, o + i) <= 9) digits++;
    else if (!isIn('cfghjklmnprtvwxyz', b, o + i)) return false;
  }
  return digits >= 3;
}

/** Sum of the digits from `o` on times weights. */
export function weightedAt(b: Uint8Array, o: number, weights: readonly number[]): number {
  let sum = 0;
  for (let i = 0; i < weights.length; i++) sum += digit(b, o + i) * entry(weights, i);
  return sum;
}
