import { byteAt, entry, loweredAt } from '../text/bytes.ts';
import * as Char from '../text/chars.ts';

/** Checks over an array of digit values, from `o`, `n` long. Bounded, and without allocation. */
export type DigitCheck = (d: Uint8Array, o: number, n: number) => boolean;

/** ISO/IEC 7812-1 annex B. */
export function luhn(d: Uint8Array, o: number, n: number): boolean {
  let sum = 0;
  let double = false;
  for (let i = o + n - 1; i >= o; i--) {
    const x = byteAt(d, i);
    sum += double ? (x > 4 ? 2 * x - 9 : 2 * x) : x;
    double = !double;
  }
  return sum % 10 === 0;
}

/** Sum of digits times weights. */
export function weighted(d: Uint8Array, o: number, weights: readonly number[]): number {
  let sum = 0;
  for (let i = 0; i < weights.length; i++) sum += byteAt(d, o + i) * entry(weights, i);
  return sum;
}

export function isRepeated(d: Uint8Array, o: number, n: number): boolean {
  for (let i = 1; i < n; i++) if (d[o + i] !== d[o]) return false;
  return true;
}

export function number(d: Uint8Array, o: number, n: number): number {
  let value = 0;
  for (let i = 0; i < n; i++) value = value * 10 + byteAt(d, o + i);
  return value;
}

const DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

export function isDayOfMonth(month: number, day: number): boolean {
  return month >= 1 && month <= 12 && day >= 1 && day <= entry(DAYS, month - 1);
}

/** Whether a year, a month and a day make a date of the Gregorian calendar. */
export function isDate(year: number, month: number, day: number): boolean {
  if (!isDayOfMonth(month, day)) return false;
  return month !== 2 || day < 29 || (year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0));
}

/** ISO 7064 mod 11,10: the check digit of `n` digits. */
export function mod11x10(d: Uint8Array, o: number, n: number): number {
  let product = 10;
  for (let i = 0; i < n; i++) {
    const sum = (byteAt(d, o + i) + product) % 10 || 10;
    product = (sum * 2) % 11;
  }
  return (11 - product) % 10;
}

/** Eight permutations of the digits, one after the other. */
const VERHOEFF_PERMUTATION = Uint8Array.from(
  '01234567891576283094580379614289160435279453126870428657390127938064157046913258',
  Number,
);

/** Multiplication in the dihedral group of order ten. */
function dihedral(a: number, b: number): number {
  if (a < 5) return b < 5 ? (a + b) % 5 : 5 + ((a + b) % 5);
  return b < 5 ? 5 + ((a - b + 5) % 5) : (a - b + 5) % 5;
}

/** Verhoeff's check over all digits. */
export function verhoeff(d: Uint8Array, o: number, n: number): boolean {
  let c = 0;
  for (let i = 0; i < n; i++)
    c = dihedral(c, byteAt(VERHOEFF_PERMUTATION, 10 * (i % 8) + byteAt(d, o + n - 1 - i)));
  return c === 0;
}

/** ISO/IEC 15420, thirteen digits: weights 1 and 3. */
export function ean13(d: Uint8Array, o: number): boolean {
  return weighted(d, o, [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1]) % 10 === 0;
}

/** ISO 7064 mod 11,2: the sum of the first `n` digits, to which a check digit or X for 10 is added. */
export function mod11x2(d: Uint8Array, o: number, n: number): number {
  let sum = 0;
  for (let i = 0; i < n; i++) sum = ((sum + byteAt(d, o + i)) * 2) % 11;
  return (12 - sum) % 11;
}

/** Reads of the letters and digits of an identifier, in any case; for the checks of kinds. */

/** Value of the digit at `i`; anything else gives no value from 0 to 9. */
export const digit = (b: Uint8Array, i: number): number => byteAt(b, i) - 48;

/** The character at `i`, in lower case. */
export const lower = (b: Uint8Array, i: number): number => loweredAt(b, i);

/** Number of the letter at `i`: 0 for a, 25 for z. */
export const letter = (b: Uint8Array, i: number): number => lower(b, i) - Char.LOWER_A;

/** 0 to 9 for digits, 10 to 35 for letters. */
export const base36 = (b: Uint8Array, i: number): number =>
  lower(b, i) < Char.LOWER_A ? digit(b, i) : letter(b, i) + 10;

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
