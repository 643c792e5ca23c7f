import { BARE } from '../hits.ts';
import type { Pass } from '../pass.ts';
import { BLANK, COLON_SIGN, COMMA, DIGIT_0, FULL_STOP, HYPHEN, SINGLE_QUOTE, SLASH } from '../text/ascii.ts';
import { ALNUM, DIGIT, WORD } from '../text/bytes.ts';
import { byteAt, is, isAt } from '../text/read.ts';
import { BETWEEN, CODE, EXPIRY, FAR, isOfYours, KINDS, LETTERS, ONE_TIME, PIN } from './short-words.ts';

/** How near its word a short number stands: "the PIN is 4821", "CVV (back): 123". */
const NEAR = 12;
const FINITE = [' is ', ' ist ', ' est ', ' es ', ' to '];
/** Digits of the longest number that is read here. */
export const MAX_SHORT = 8;
/**
 * The security code, expiry or PIN of a card, which are only digits after their word: the digits from `from` to `to`.
 * Returns where it ends, or 0.
 */
export function shortNumber(pass: Pass, from: number, to: number): number {
  const b = pass.text.bytes;
  const c = byteAt(b, from - 1);
  if (from > pass.text.start && BETWEEN[c] === 0 && c < 0x80) return 0;
  const size = to - from;
  const date = size === 2 || size === 4 ? expiryEnd(b, from, to) : 0;
  if (size < 3 && date === 0) return 0;
  if (size > 3 && pass.isOn(ONE_TIME) && isOfYours(b, from)) return report(pass, ONE_TIME, from, to);
  if (!pass.context.any(from)) return 0;
  if (date !== 0 && isNamed(pass, EXPIRY, from)) return report(pass, EXPIRY, from, date);
  if (is(b, to, WORD) || isFraction(b, to)) return 0;
  if (size < 5 && isNamed(pass, CODE, from)) return report(pass, CODE, from, to);
  const second = size === 3 ? secondHalf(b, to) : 0;
  if (second !== 0 && isNamed(pass, ONE_TIME, from)) return report(pass, ONE_TIME, from, second);
  if (size < 4) return 0;
  if (!isPostcode(b, from, to) && isNamed(pass, PIN, from)) return report(pass, PIN, from, to);
  return isNamed(pass, ONE_TIME, from) ? report(pass, ONE_TIME, from, to) : 0;
}

const POSTCODE = 'pincode';

/** Whether six digits follow what India calls its postcodes. */
function isPostcode(b: Uint8Array, from: number, to: number): boolean {
  let i = from;
  while (from - i < 4 && byteAt(BETWEEN, byteAt(b, i - 1)) === 1) i--;
  return to - from === POSTCODE_SIZE && isAt(b, i - POSTCODE.length, POSTCODE);
}

const POSTCODE_SIZE = 6;

/** Where the second half of a code of six digits ends: 913 402, 913-402; 0 for none. */
function secondHalf(b: Uint8Array, to: number): number {
  if (b[to] !== BLANK && b[to] !== HYPHEN) return 0;
  for (let i = to + 1; i < to + 4; i++) if (!is(b, i, DIGIT)) return 0;
  return is(b, to + 4, WORD) || isFraction(b, to + 4) ? 0 : to + 4;
}

/** A code of 4 digits or more before " is your … code"; returns where it ends, or 0. */
export function codeBefore(pass: Pass, from: number, to: number): number {
  const b = pass.text.bytes;
  if (!pass.isOn(ONE_TIME) || !isAt(b, to, ' is your ')) return 0;
  for (let i = to + 9; i - to < 56 && byteAt(b, i) >= BLANK; i++)
    if (isAt(b, i, ' code')) return report(pass, ONE_TIME, from, to);
  return 0;
}

/** Whether its word is the key, or stands right before the number. */
function isNamed(pass: Pass, tag: number, from: number): boolean {
  const distance = pass.context.distance(tag, from);
  if (!pass.isOn(tag) || distance > FAR) return false;
  if (
    distance > NEAR &&
    !followsVerb(pass.text.bytes, from) &&
    !isSameClause(pass.text.bytes, from, distance)
  )
    return false;
  return KINDS.every((other) => pass.context.distance(other, from) >= distance);
}

/** Whether a verb that says what something is stands right before the number, in a sentence without others. */
function followsVerb(b: Uint8Array, from: number): boolean {
  const verb = FINITE.find((word) => isAt(b, from - word.length, word));
  if (verb === undefined || isMeasure(b, from)) return false;
  for (let i = from - verb.length; from - i < FAR; i--)
    if (is(b, i, DIGIT) || b[i] === COMMA || b[i] === FULL_STOP) return false;
  return true;
}

/** Whether nothing but letters and blanks, or a colon right before the number, stands between its word and it: PIN de la alarma 9137. */
function isSameClause(b: Uint8Array, from: number, distance: number): boolean {
  let i = from - 1;
  while (b[i] === BLANK) i--;
  if (b[i] === COLON_SIGN) i--;
  for (; i > from - distance; i--)
    if (!is(b, i, LETTERS) && b[i] !== BLANK && b[i] !== SINGLE_QUOTE) return false;
  return !isMeasure(b, from);
}

/** Words behind a code that go on with the sentence; others say of what the number is one. */
const CONJUNCTIONS = [
  ' and ',
  ' und ',
  ' et ',
  ' y ',
  ' e ',
  ' och ',
  ' og ',
  ' but ',
  ' for ',
  ' please ',
  ' so ',
];

function isMeasure(b: Uint8Array, from: number): boolean {
  let to = from;
  while (is(b, to, DIGIT)) to++;
  return b[to] === BLANK && is(b, to + 1, LETTERS) && !CONJUNCTIONS.some((word) => isAt(b, to, word));
}

function report(pass: Pass, tag: number, from: number, to: number): number {
  pass.found(tag, BARE, from, to);
  return to;
}

/** Whether the digits go on after a dot, slash, colon or dash. */
function isFraction(b: Uint8Array, to: number): boolean {
  const c = byteAt(b, to);
  return !(BETWEEN[c] === 1 && c !== COLON_SIGN) && c > BLANK && c !== COMMA && is(b, to + 1, DIGIT);
}

/** End of a month and a year: 09/27, 09/2027, 09-27, 2027-09; 0 when it is none. */
function expiryEnd(b: Uint8Array, from: number, to: number): number {
  const c = byteAt(b, to);
  if (c !== SLASH && c !== HYPHEN) return 0;
  let end = to + 1;
  while (end - to < 6 && is(b, end, DIGIT)) end++;
  const size = end - to - 1;
  if (is(b, end, ALNUM) || b[end] === c) return 0;
  const isYearFirst = to - from === 4;
  if (isYearFirst ? size !== 2 : size !== 2 && size !== 4) return 0;
  const month = isYearFirst ? to + 1 : from;
  const value = (byteAt(b, month) - DIGIT_0) * 10 + byteAt(b, month + 1) - DIGIT_0;
  return value >= 1 && value <= 12 ? end : 0;
}
