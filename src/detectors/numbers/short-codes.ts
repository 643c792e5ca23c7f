import { BARE } from '../kinds/kind.ts';
import { kinds, tagId } from '../kinds/taxonomy.ts';
import type { Pass } from '../pass.ts';
import {
  ALNUM,
  ALPHA,
  byteAt,
  DIGIT,
  endOf,
  IDEOGRAPH,
  is,
  isAt,
  LETTER,
  LOWER,
  setOf,
  UPPER,
  WORD,
} from '../text/bytes.ts';
import * as Char from '../text/chars.ts';

const CODE = tagId('CARD_SECURITY_CODE');
const EXPIRY = tagId('CARD_EXPIRY');
const PIN = tagId('PIN');
const ONE_TIME = tagId('ONE_TIME_CODE');
const KINDS: readonly number[] = [CODE, EXPIRY, PIN, ONE_TIME];
/** The same behind a verb: the PIN for the company card is 4821. */
const FAR = 36;
/** Bytes between a word and its number. */
const BETWEEN = setOf(' \t:="\'#>([]');

const LETTERS: number = ALPHA | LETTER;
/** The last three letters of words before such a number, five bits each: tells most numbers without reading words. */
const ENDINGS = new Uint8Array(32_768);
const ending = (x: number, y: number, z: number): number => ((x & 31) << 10) | ((y & 31) << 5) | (z & 31);
const names = kinds.filter(({ tag }) => KINDS.includes(tagId(tag))).map(({ words }) => words);
for (const word of [
  ...names,
  'is number no nr num ist es est date code back value lautet er je on este jest to as e kod kode codice codigo kodu tan alarma alarm me you him her us here now below sms text porte porta puerta door gate safe turcode deur drzwi garage wifi app karte card carte tarjeta carta kaart is: s',
]
  .join(' ')
  .split(/[ _]/)) {
  const [x, y, z] = [3, 2, 1].map((back) => word.charCodeAt(word.length - back));
  ENDINGS[ending(x ?? 0, y ?? 0, z ?? 0)] = 1;
}

/** Whether the digits at `i` are the beginning of the text, or may stand after the word of such a number. */
export function mayBeShort(b: Uint8Array, i: number): boolean {
  let at = b[i - 1] === Char.GREATER_THAN ? beforeTags(b, i) : i;
  // page.type('#cvc', '339')
  if (b[i - 2] === Char.BLANK && b[i - 3] === Char.COMMA && b[i - 4] === b[i - 1] && b[i - 1] !== Char.BLANK)
    at = i - 4;
  while (i - at < 4 && BETWEEN[byteAt(b, at - 1)] === 1) at--;
  if (at === i) return b[i - 1] === Char.NUL || is(b, i - 1, IDEOGRAPH);
  // exp. 09/27, CVC2 123
  if ((b[at - 1] === Char.FULL_STOP || is(b, at - 1, DIGIT)) && is(b, at - 2, LETTERS)) at--;
  const last = byteAt(b, at - 1);
  if (last < Char.UPPER_A || last > 127) return last > 127;
  const isShort = !is(b, at - 3, LETTERS) || (is(b, at - 3, LOWER) && is(b, at - 2, UPPER)); // pinNo
  if (b[at - 2] === Char.SINGLE_QUOTE) return true; // my pin's 4711
  if (!is(b, at - 2, LETTERS)) return ENDINGS[ending(0, 0, last)] === 1; // è
  return ENDINGS[ending(isShort ? 0 : byteAt(b, at - 3), byteAt(b, at - 2), last)] === 1;
}

const YOURS = ['your ', 'ihr ', 'dein ', 'votre ', 'ton ', 'tu ', 'su ', 'tuo ', 'seu ', 'uw ', 'je '];
const NAMES_OF_CODES = ['code', 'kode', 'codice', 'codigo', 'kod'];

/** Whether the words before a number call it somebody's code, with at most two words between: Your Acme code: 553018. */
function isOfYours(b: Uint8Array, from: number): boolean {
  let to = from;
  while (from - to < 2 && byteAt(BETWEEN, byteAt(b, to - 1)) === 1) to--;
  if (isAt(b, to - 3, ' is')) to -= 3;
  const name = NAMES_OF_CODES.find((word) => isAt(b, to - word.length, word));
  if (name === undefined || to === from) return false;
  let at = to - name.length;
  for (let words = 0; words < 3 && b[at - 1] === Char.BLANK; words++) {
    if (YOURS.some((word) => isAt(b, at - word.length, word) && !is(b, at - word.length - 1, LETTERS)))
      return words > 0;
    at--;
    while (from - at < FAR && is(b, at - 1, LETTERS | DIGIT)) at--;
    // of a service or a firm, and no code of an order or a country
    if (!is(b, at, UPPER)) return false;
  }
  return false;
}

/** Where the text before the cell of a table ends whose text begins at `i`: CVV</td><td>123; `i` for none. */
function beforeTags(b: Uint8Array, i: number): number {
  let at = i;
  for (let tags = 0; tags < 2; tags++) {
    if (b[at - 1] !== Char.GREATER_THAN) break;
    while (i - at < MAX_TAGS && b[at - 1] !== Char.LESS_THAN) at--;
    at--;
  }
  if (b[at + 1] === Char.SLASH) return at;
  // your PIN is <b>4471</b>
  let tag = i - 1;
  while (i - tag < MAX_EMPHASIS && b[tag] !== Char.LESS_THAN) tag--;
  return b[tag] === Char.LESS_THAN && b[tag + 1] !== Char.SLASH ? tag : i;
}

/** Characters of a tag of emphasis, and of the tags of two cells. */
const MAX_EMPHASIS = 8;
const MAX_TAGS = 24;

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
  if (size > 3 && pass.isOn(ONE_TIME) && isOfYours(b, from)) return pass.found(ONE_TIME, BARE, from, to);
  if (!pass.context.any(from)) return 0;
  if (date !== 0 && isNamed(pass, EXPIRY, from)) return pass.found(EXPIRY, BARE, from, date);
  if (is(b, to, WORD) || isFraction(b, to)) return 0;
  if (size < 5 && isNamed(pass, CODE, from)) return pass.found(CODE, BARE, from, to);
  const second = size === 3 ? secondHalf(b, to) : 0;
  if (second !== 0 && isNamed(pass, ONE_TIME, from)) return pass.found(ONE_TIME, BARE, from, second);
  if (size < 4) return 0;
  if (!isPostcode(b, from, to) && isNamed(pass, PIN, from)) return pass.found(PIN, BARE, from, to);
  return isNamed(pass, ONE_TIME, from) ? pass.found(ONE_TIME, BARE, from, to) : 0;
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
  if (b[to] !== Char.BLANK && b[to] !== Char.HYPHEN) return 0;
  for (let i = to + 1; i < to + 4; i++) if (!is(b, i, DIGIT)) return 0;
  return is(b, to + 4, WORD) || isFraction(b, to + 4) ? 0 : to + 4;
}

/** A code of 4 digits or more before " is your … code"; returns where it ends, or 0. */
export function codeBefore(pass: Pass, from: number, to: number): number {
  const b = pass.text.bytes;
  if (!pass.isOn(ONE_TIME) || !isAt(b, to, ' is your ')) return 0;
  for (let i = to + 9; i - to < 56 && byteAt(b, i) >= Char.BLANK; i++)
    if (isAt(b, i, ' code')) return pass.found(ONE_TIME, BARE, from, to);
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
    if (is(b, i, DIGIT) || b[i] === Char.COMMA || b[i] === Char.FULL_STOP) return false;
  return true;
}

/** Whether nothing but letters and blanks, or a colon right before the number, stands between its word and it: PIN de la alarma 9137. */
function isSameClause(b: Uint8Array, from: number, distance: number): boolean {
  let i = from - 1;
  while (b[i] === Char.BLANK) i--;
  if (b[i] === Char.COLON_SIGN) i--;
  for (; i > from - distance; i--)
    if (!is(b, i, LETTERS) && b[i] !== Char.BLANK && b[i] !== Char.SINGLE_QUOTE) return false;
  return !isMeasure(b, from);
}

/** Words behind a code that go on with the sentence; others say of what the number is one. */
const CONJUNCTIONS = ' and | und | et | y | e | och | og | but | for | please | so '.split('|');

function isMeasure(b: Uint8Array, from: number): boolean {
  const to = endOf(b, from, DIGIT);
  return b[to] === Char.BLANK && is(b, to + 1, LETTERS) && !CONJUNCTIONS.some((word) => isAt(b, to, word));
}

/** Whether the digits go on after a dot, slash, colon or dash, or a code of letters and digits after a dash. */
function isFraction(b: Uint8Array, to: number): boolean {
  const c = byteAt(b, to);
  if (c === Char.HYPHEN && is(b, to + 1, ALNUM)) return true;
  return (
    !(BETWEEN[c] === 1 && c !== Char.COLON_SIGN) && c > Char.BLANK && c !== Char.COMMA && is(b, to + 1, DIGIT)
  );
}

/** End of a month and a year: 09/27, 09/2027, 09-27, 2027-09; 0 when it is none. */
function expiryEnd(b: Uint8Array, from: number, to: number): number {
  const c = byteAt(b, to);
  if (c !== Char.SLASH && c !== Char.HYPHEN) return 0;
  const end = endOf(b, to + 1, DIGIT, 5);
  const size = end - to - 1;
  if (is(b, end, ALNUM) || b[end] === c) return 0;
  const isYearFirst = to - from === 4;
  if (isYearFirst ? size !== 2 : size !== 2 && size !== 4) return 0;
  const month = isYearFirst ? to + 1 : from;
  const value = (byteAt(b, month) - Char.DIGIT_0) * 10 + byteAt(b, month + 1) - Char.DIGIT_0;
  return value >= 1 && value <= 12 ? end : 0;
}
