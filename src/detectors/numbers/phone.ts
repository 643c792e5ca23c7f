import { REACH } from '../context/context.ts';
import { AFTER_PHONE, NEGATIVE, NUMBERED } from '../context/words.ts';
import { BARE, FORMATTED } from '../kinds/kind.ts';
import { tagId } from '../kinds/taxonomy.ts';
import type { Pass } from '../pass.ts';
import { byteAt, classAt, DIGIT, intAt, is, isAt, loweredAt, SPACE, setOf, WORD } from '../text/bytes.ts';
import * as Char from '../text/chars.ts';
import { closes, digitCount, isAmount, isTableRow } from './bounds.ts';
import type { Groups } from './groups.ts';

/** Country calling codes of ITU-T E.164, assigned. */
const CODES = new Uint8Array(1000);
const ASSIGNED =
  '1 7 20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 60 61 62 63 64 65 66 81 82 84 86 ' +
  '90 91 92 93 94 95 98 211 212 213 216 218 220-269 290 291 297 298 299 350-359 370-383 385-387 389 420 421 423 ' +
  '500-509 590-599 670 672-683 685-692 800 808 850 852 853 855 856 870 878 880-883 886 888 960-968 970-977 979 992-996 998';
for (const range of ASSIGNED.split(' ')) {
  const [from = '', to = from] = range.split('-');
  for (let code = Number(from); code <= Number(to); code++) CODES[code] = 1;
}

/** Digits of the country code at `o`; 0 when none is assigned. */
function countrySize(digits: Uint8Array, o: number): number {
  let code = 0;
  for (let i = 0; i < 3; i++) {
    code = code * 10 + byteAt(digits, o + i);
    if (CODES[code] === 1) return i + 1;
  }
  return 0;
}

/** Whether `n` digits from `o` on are a country code and a number; those of North America and Russia have eleven. */
function isCountry(digits: Uint8Array, o: number, n: number): boolean {
  if (n < 8 || n > 15) return false;
  if (digits[o] === 1 || digits[o] === 7) return n === 11;
  return countrySize(digits, o) > 0;
}

const PHONE = tagId('PHONE_NUMBER');

/** How near the word must be that makes few digits a telephone number. */
const CLOSE = 6;
const NEARBY = 16;
const MIN_DIGITS = 6;
const MAX_DIGITS = 16;

/** A telephone number from group `g`; returns the group after it, or `g`. */
export function phone(pass: Pass, g: number): number {
  const { groups } = pass;
  const b = pass.text.bytes;
  const start = intAt(groups.starts, g);
  // (415) 555-0132, not (415-555-0132)
  const opened =
    b[start - 1] === Char.LEFT_PARENTHESIS &&
    g + 1 < groups.count &&
    groups.before[g + 1] === Char.RIGHT_PARENTHESIS;
  const plus = b[start - 1] === Char.PLUS || (opened && b[start - 2] === Char.PLUS);
  const end = extent(groups, g, plus);
  const digits = digitCount(pass, g, end);
  if (digits < MIN_DIGITS || digits > MAX_DIGITS || !pass.isOn(PHONE)) return g;
  const from = beginning(pass, g, opened, plus);
  const to = withExtension(b, groups.endOf(end - 1));
  const extended = to > groups.endOf(end - 1);
  const isPhone = plus
    ? isInternational(pass, g, end, from, to)
    : isAmerican(groups, g, end, opened) ||
      isDialledAbroad(groups, g, end) ||
      isPlainlyWritten(groups, g, end) ||
      (!isCalendar(groups, g, end) && isNamed(pass, g, end, from, to));
  if (!isPhone || !(opened || closes(pass, end) || extended)) return g;
  if (!plus && !opened && isTableRow(pass, from, to) && !pass.near(PHONE, from)) return g;
  pass.found(PHONE, end - g > 1 || plus ? FORMATTED : BARE, from, to);
  return end;
}

/** Where the number begins with its parenthesis and plus: (415) 555, +44 20, (+44) 20, +(44) 20. */
function beginning({ groups, text }: Pass, g: number, opened: boolean, plus: boolean): number {
  const b = text.bytes;
  let from = intAt(groups.starts, g);
  if (opened) from--;
  if (b[from - 1] === Char.PLUS) from--;
  const inner = plus && g + 1 < groups.count && groups.before[g + 1] === Char.RIGHT_PARENTHESIS;
  return inner && b[from - 1] === Char.LEFT_PARENTHESIS ? from - 1 : from;
}

/** Whether the digits after a plus are a number of some country, and no operand: a+16777216*b. */
function isInternational(pass: Pass, g: number, end: number, from: number, to: number): boolean {
  const b = pass.text.bytes;
  const digits = digitCount(pass, g, end);
  if (!isCountry(pass.groups.digits, intAt(pass.groups.offsets, g), digits)) return false;
  const before = byteAt(b, from - 1);
  // gtk+3.0 (3.24.38-2), 0.182+20210205-1: the plus joins what stands before it
  if (end - g > 1) return !is(b, from - 1, WORD) || pass.context.distance(PHONE, from) <= CLOSE;
  const after = byteAt(b, to);
  return !(
    is(b, from - 1, WORD) ||
    before === Char.RIGHT_PARENTHESIS ||
    before === Char.RIGHT_BRACKET ||
    after === Char.ASTERISK ||
    after === Char.PLUS ||
    after === Char.SLASH
  );
}

/** Whether words say that the digits are a telephone number: the fewer they are, the nearer the words. */
function isNamed(pass: Pass, g: number, end: number, from: number, to: number): boolean {
  const { groups } = pass;
  if (end < groups.count && groups.before[end] === groups.before[end - 1]) return false; // a list goes on
  if (isAmount(pass, end) || isDecimalInRow(pass, g, end)) return false;
  const before = pass.text.bytes[from - 1];
  if (end - g === 1 && digitCount(pass, g, end) < 7) return false;
  if (
    before === Char.SLASH ||
    before === Char.AT_SIGN ||
    before === Char.LOW_LINE_SIGN ||
    before === Char.HASH_SIGN ||
    (end - g === 1 && isPartOfName(pass.text.bytes, from, to))
  )
    return false;
  if (pass.context.any(from) && isNamedBefore(pass, g, end, from)) return true;
  return end === groups.count && isSpoken(pass.text.bytes, to) && pass.context.follows(AFTER_PHONE, to);
}

/** Whether digits are an id in a link or a part of a name with colons: ?id=…, arn:aws:ssm-contacts::…:contact. */
function isPartOfName(b: Uint8Array, from: number, to: number): boolean {
  return (b[from - 1] === Char.COLON_SIGN && b[to] === Char.COLON_SIGN) || isAt(b, from - 3, 'id=');
}

function isNamedBefore(pass: Pass, g: number, end: number, from: number): boolean {
  const { groups, context } = pass;
  const digits = digitCount(pass, g, end);
  const distance = context.distance(PHONE, from);
  const reach = digits < 7 ? CLOSE : digits < 9 ? NEARBY : REACH;
  if (distance <= reach && distance < context.distance(NEGATIVE, from)) return true;
  // "my number is 09-7625400": a number of no other kind, written as telephone numbers are
  if (context.distance(NUMBERED, from) > 5 || digits < 9 || context.distance(NEGATIVE, from) <= 40)
    return false;
  return end - g === 1 ? digits === 11 : groups.digits[intAt(groups.offsets, g)] === 0;
}

/** Whether the two groups are a decimal beside a comma: 52.520008,13.404954. */
function isDecimalInRow({ groups, text }: Pass, g: number, end: number): boolean {
  if (end - g !== 2 || groups.before[g + 1] !== Char.FULL_STOP) return false;
  return groups.before[g] === Char.COMMA || text.bytes[groups.endOf(end - 1)] === Char.COMMA;
}

/** Whether a word may follow in the same sentence: 51-16-34-25-Office, 089 726341 (mobile). */
function isSpoken(b: Uint8Array, to: number): boolean {
  return SPOKEN[byteAt(b, to)] === 1 || (b[to] === Char.COMMA && b[to + 1] === Char.BLANK);
}
const SPOKEN = setOf(' (-/');

/** Bytes that part the groups of one telephone number. */
const PARTS = setOf(' -.()');

/** Groups that belong to one telephone number, by what parts them. */
function extent(groups: Groups, g: number, plus: boolean): number {
  let digits = 0;
  let end = g;
  let last = g;
  for (; end < groups.count && end - g < 7; end++) {
    const before = byteAt(groups.before, end);
    if (end > g && PARTS[before] === 0 && (plus || !(before === Char.SLASH && end === g + 1))) break;
    digits += intAt(groups.lengths, end);
    if (digits > (plus ? 15 : 16)) break;
    last = end + 1;
  }
  return last;
}

/** North American Numbering Plan: NXX-NXX-XXXX with any separators, the trunk or country code 1 before it or not. */
function isAmerican(groups: Groups, g: number, end: number, opened: boolean): boolean {
  let k = g;
  const { lengths, offsets, digits } = groups;
  if (end - k === 4 && lengths[k] === 1 && digits[intAt(offsets, k)] === 1) k++;
  if (end - k !== 3 || lengths[k] !== 3 || lengths[k + 1] !== 3 || lengths[k + 2] !== 4) return false;
  const area = intAt(offsets, k);
  if (byteAt(digits, area) < 2 || byteAt(digits, area + 3) < 2) return false;
  if (digits[area + 1] === 1 && digits[area + 2] === 1) return false;
  const a = byteAt(groups.before, k + 1);
  const b = byteAt(groups.before, k + 2);
  if (opened || a === Char.RIGHT_PARENTHESIS) return true;
  return a === b || (a === Char.BLANK && b === Char.HYPHEN);
}

/** A number that no other kind is written like: in five pairs with dots, as in France, and of mobile telephones in Asia (0961-7596216). */
function isPlainlyWritten({ lengths, before, offsets, digits }: Groups, g: number, end: number): boolean {
  const first = intAt(offsets, g);
  if (digits[first] !== 0) return false;
  const second = digits[first + 1];
  if (end - g === 2)
    return (
      lengths[g] === 4 &&
      lengths[g + 1] === 7 &&
      before[g + 1] === Char.HYPHEN &&
      (second === 9 || second === 3)
    );
  if (end - g !== 5 || second === 0) return false;
  for (let k = g; k < end; k++) if (lengths[k] !== 2 || (k > g && before[k] !== Char.FULL_STOP)) return false;
  return true;
}

/**
 * A number as it is dialled from Europe or North America, in groups: 0049 30 1234567, 00 33 1 42 68 53 00, 011 44 20 7183 8750.
 * A group ends with the code of the country, and the number of the subscriber has no zero before it.
 */
function isDialledAbroad({ lengths, offsets, digits }: Groups, g: number, end: number): boolean {
  const from = intAt(offsets, g);
  const isDump = lengths[g] === 4 && lengths[g + 1] === 4 && lengths[g + 2] === 4; // 0033 4455 6677 8899
  if (end - g < 2 || digits[from] !== 0 || isDump) return false;
  const prefix = digits[from + 1] === 0 ? 2 : digits[from + 1] === 1 && digits[from + 2] === 1 ? 3 : 0;
  const size = countrySize(digits, from + prefix);
  if (prefix === 0 || size === 0 || digits[from + prefix + size] === 0) return false;
  const first = intAt(lengths, g);
  const isParted = first === prefix ? lengths[g + 1] === size : first === prefix + size;
  return isParted && isCountry(digits, from + prefix, intAt(offsets, end) - from - prefix);
}

/** Dates and times are written with the same groups as short telephone numbers; a version may stand before them. */
function isCalendar(groups: Groups, g: number, end: number): boolean {
  const { lengths } = groups;
  if (end - g === 2) return isYear(groups, g) && isYear(groups, g + 1);
  if (end - g > 3) {
    for (let k = g; k + 3 <= end; k++) if (isIsoDate(groups, k)) return true;
    return false;
  }
  if (end - g !== 3) return false;
  const a = intAt(lengths, g);
  const b = intAt(lengths, g + 1);
  const c = intAt(lengths, g + 2);
  return (a === 4 && b <= 2 && c <= 2) || (a <= 2 && b <= 2 && c === 4);
}

/** Whether group `k` is a year of this century or the last one. */
function isYear({ lengths, offsets, digits }: Groups, k: number): boolean {
  const century = 10 * byteAt(digits, intAt(offsets, k)) + byteAt(digits, intAt(offsets, k) + 1);
  return lengths[k] === 4 && (century === 19 || century === 20);
}

/** Whether the three groups from `k` on are a date of this century or the last one: 2025-12-22. */
function isIsoDate(groups: Groups, k: number): boolean {
  const { lengths, before } = groups;
  return (
    isYear(groups, k) &&
    lengths[k + 1] === 2 &&
    lengths[k + 2] === 2 &&
    before[k + 1] === Char.HYPHEN &&
    before[k + 2] === Char.HYPHEN
  );
}

/** The end of the number with an extension: x818, ext. 12. */
export function withExtension(b: Uint8Array, end: number): number {
  let i = end;
  if (is(b, i, SPACE)) i++;
  if (loweredAt(b, i) === Char.LOWER_E && b[i + 1] === Char.LOWER_X && b[i + 2] === Char.LOWER_T) {
    i += 3;
    if (b[i] === Char.FULL_STOP) i++;
    if (b[i] === Char.BLANK) i++;
  } else if (b[i] === Char.LOWER_X) i++;
  else return end;
  const from = i;
  while (i - from < 7 && classAt(b, i) & DIGIT) i++;
  return i > from ? i : end;
}
