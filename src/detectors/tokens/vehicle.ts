import { base36, isIn } from '../checks/check-digits.ts';
import { BARE, CHECKSUM } from '../kinds/kind.ts';
import { tagId } from '../kinds/taxonomy.ts';
import type { Pass } from '../pass.ts';
import { ALNUM, byteAt, classAt, DIGIT, endOf, is, LOWER, startOf, UPPER, WORD } from '../text/bytes.ts';
import * as Char from '../text/chars.ts';

const VEHICLE = tagId('VEHICLE_ID');
const PLATE = tagId('LICENSE_PLATE');
export const VIN_LENGTH = 17;
const VIN_WEIGHTS = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2];
/** Letters of a number that needs no word: one alone is the exponent of a decimal. */
const MIN_LETTERS = 2;
const PLATE_REACH = 24;
const MAX_PLATE = 12;

/** A vehicle identification number (ISO 3779) that is the word of 17 characters at `from`. */
export function vehicleId(pass: Pass, from: number, classes: number): boolean {
  const b = pass.text.bytes;
  const to = from + VIN_LENGTH;
  let sum = 0;
  for (let i = 0; i < VIN_LENGTH; i++) {
    if (isIn('ioq', b, from + i)) return false;
    sum += vinValue(b, from + i) * (VIN_WEIGHTS[i] ?? 0);
  }
  if (!is(b, to - 1, DIGIT) || !is(b, to - 2, DIGIT) || !is(b, to - 3, DIGIT)) return false;
  const check = sum % 11;
  const isChecked = isIn(check === 10 ? 'x' : String(check), b, from + 8);
  const isPlain = isChecked && (classes & LOWER) === 0 && letterCount(b, from, to) >= MIN_LETTERS;
  if (!isPlain && !pass.around(VEHICLE, from, to)) return false;
  pass.found(VEHICLE, isChecked ? CHECKSUM : BARE, from, to);
  return true;
}

function letterCount(b: Uint8Array, from: number, to: number): number {
  let count = 0;
  for (let i = from; i < to; i++) if (is(b, i, UPPER)) count++;
  return count;
}

/** 49 CFR 565.15: letters count 1 to 9 in three rows, S begins with 2. */
function vinValue(b: Uint8Array, i: number): number {
  const value = base36(b, i);
  if (value < 10) return value;
  if (value < 19) return value - 9;
  return value < 28 ? value - 18 : value - 26;
}

/** A licence plate after its word that has the letters and digits from `from` to `to`; returns its end, or 0. */
export function plate(pass: Pass, from: number, to: number): number {
  const b = pass.text.bytes;
  let start = from;
  let end = to;
  // the letters of the place before, and what follows: B-AB 1234, AB-123-CD, AB12 CDE
  for (let parts = 0; parts < 2 && isPartBefore(b, start); parts++) start = partBefore(b, start);
  for (let parts = 0; parts < 2 && isPart(b, end); parts++) end = partAfter(b, end);
  let letters = 0;
  let digits = 0;
  for (let i = start; i < end; i++) {
    if (is(b, i, DIGIT)) digits++;
    else if (is(b, i, UPPER)) letters++;
    else if (is(b, i, LOWER)) return 0;
  }
  if (
    letters === 0 ||
    digits === 0 ||
    letters + digits < 4 ||
    letters + digits > 9 ||
    end - start > MAX_PLATE
  )
    return 0;
  if (!pass.isOn(PLATE) || pass.context.distance(PLATE, from) > PLATE_REACH) return 0;
  return pass.found(PLATE, BARE, start, end);
}

/** Whether capital letters and one separator stand before the digits at `i`. */
function mayEndPlate(b: Uint8Array, i: number): boolean {
  return isSeparator(byteAt(b, i - 1)) && is(b, i - 2, UPPER);
}

/** Whether capital letters and one separator stand before the digits, or another part after them. */
export function mayBePlate(b: Uint8Array, from: number, to: number): boolean {
  return mayEndPlate(b, from) || (isSeparator(byteAt(b, to)) && is(b, to + 1, UPPER | DIGIT));
}

const isSeparator = (c: number): boolean => c === Char.BLANK || c === Char.HYPHEN;

function isPartBefore(b: Uint8Array, at: number): boolean {
  if (!isSeparator(byteAt(b, at - 1)) || !is(b, at - 2, UPPER)) return false;
  const from = partBefore(b, at);
  return at - 1 - from <= 3 && !is(b, from - 1, WORD);
}

function partBefore(b: Uint8Array, at: number): number {
  const from = startOf(b, at - 1, UPPER, 4);
  return from;
}

function isPart(b: Uint8Array, at: number): boolean {
  if (!isSeparator(byteAt(b, at)) || !(classAt(b, at + 1) & (UPPER | DIGIT))) return false;
  const to = partAfter(b, at);
  return to - at - 1 <= 4 && !is(b, to, WORD);
}

function partAfter(b: Uint8Array, at: number): number {
  const to = endOf(b, at + 1, ALNUM, 5);
  return to;
}
