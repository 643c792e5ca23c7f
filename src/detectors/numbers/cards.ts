import { isCard, isNamedCard, MAX_CARD, MIN_CARD } from '../checks/card.ts';
import { hasIdKey, ownKey } from '../context/keys.ts';
import { hashBytes, NEGATIVE, wordTable } from '../context/words.ts';
import { CHECKSUM } from '../kinds/kind.ts';
import { tagId } from '../kinds/taxonomy.ts';
import type { Pass } from '../pass.ts';
import { ALPHA, byteAt, DIGIT, endOf, intAt, is, isBreak, setOf } from '../text/bytes.ts';
import * as Char from '../text/chars.ts';
import { closes, hasWord, isTableRow, rowGoesOn } from './bounds.ts';
import type { Groups } from './groups.ts';

const CARD = tagId('CREDIT_CARD');
/** Numbers that networks and payment services publish for tests: no id is one of them by chance. */
const TEST_NUMBERS = new Set(
  (
    '4111111111111111 4242424242424242 4012888888881881 4000056655665556 4000000000000002 4000000000009995 4000000000003220 4000002500003155 4000000000000077 ' +
    '4000000000000341 4222222222222 4012000033330026 4917610000000000 4988438843884305 4166676667666746 4646464646464644 4444333322221111 4462030000000000 ' +
    '5555555555554444 5200828282828210 5105105105105100 2223003122003222 5454545454545454 5500000000000004 2222400070000005 5136333333333335 5424000000000015 ' +
    '378282246310005 371449635398431 378734493671000 370000000000002 343434343434343 6011111111111117 6011000990139424 6011981111111113 30569309025904 ' +
    '38520000023237 3056930009020004 36227206271667 36700102000000 3530111333300000 3566002020360505 3569990010095841 6200000000000005 6205500000000000004 6759649826438453'
  ).split(' '),
);

/**
 * Whether bare digits from `from` to `to` that are a card's by their checksum are one. Three in a hundred ids of 16 digits have such a
 * checksum: a word for cards must stand near them or be their key, or what payment data has beside a card. Digits under the
 * key of an id and in a path are none.
 */
export function isBareCard(pass: Pass, from: number, to: number): boolean {
  const b = pass.text.bytes;
  if (hasIdKey(b, from)) return false;
  if (isTakenApart(pass, from, to)) return true;
  if (isTestNumber(b, from, to) && !pass.context.labels(NEGATIVE, from)) return true;
  if (b[from - 1] === Char.SLASH) return false;
  const key = ownKey(b, from);
  if (key > 0 ? pass.context.distance(CARD, from) <= from - key : pass.around(CARD, from, to)) return true;
  return expiryFollows(b, to);
}

/** Whether invisible characters or escapes stand between the digits: nobody writes an id so. */
function isTakenApart({ origin, text: { start } }: Pass, from: number, to: number): boolean {
  return origin !== null && intAt(origin, to - 1 - start) - intAt(origin, from - start) > to - 1 - from;
}

function isTestNumber(b: Uint8Array, from: number, to: number): boolean {
  let digits = '';
  for (let i = from; i < to; i++) digits += String.fromCharCode(byteAt(b, i));
  return TEST_NUMBERS.has(digits);
}

/** Bytes between a card and when it expires: 4111…|09|27|123, 4111… 09/27, 4111…,0927. */
const BETWEEN = setOf(' \t,;|');
const MAX_BETWEEN = 3;
/** Years for which cards are issued. */
const [FIRST_YEAR, LAST_YEAR] = [20, 45];

/** Whether a month and a year follow that are no part of a longer number. */
function expiryFollows(b: Uint8Array, to: number): boolean {
  let i = to;
  while (i - to < MAX_BETWEEN && BETWEEN[byteAt(b, i)] === 1) i++;
  if (i === to || !is(b, i, DIGIT) || !is(b, i + 1, DIGIT)) return false;
  const month = two(b, i);
  i += 2;
  if (b[i] === Char.SLASH || b[i] === Char.HYPHEN || b[i] === Char.VERTICAL_BAR) i++;
  if (!is(b, i, DIGIT) || !is(b, i + 1, DIGIT)) return false;
  if (two(b, i) === 20 && is(b, i + 2, DIGIT) && is(b, i + 3, DIGIT)) i += 2;
  const year = two(b, i);
  return month > 0 && month < 13 && year >= FIRST_YEAR && year <= LAST_YEAR && !is(b, i + 2, DIGIT);
}

function two(b: Uint8Array, at: number): number {
  return 10 * (byteAt(b, at) - Char.DIGIT_0) + byteAt(b, at + 1) - Char.DIGIT_0;
}

/**
 * A card whose digits were pulled apart in another way than printed: one by one or in pairs anywhere, in any way
 * with a word near it. Returns the group after it, or `g`.
 */
export function flexibleCard(pass: Pass, g: number): number {
  const { groups } = pass;
  if (!mayBegin(pass, g)) return g;
  const offset = intAt(groups.offsets, g);
  const from = intAt(groups.starts, g);
  // without a word near it, only what is a card anywhere
  const check =
    hasWord(pass) && (pass.strict || pass.context.any(from) || pass.context.anyAfter(groups.end))
      ? isNamedCard
      : isCard;
  let best = g;
  let isPlain = false;
  // the longest, and what needs no word first: a prefix of many cards is one that only words tell
  for (let end = g + 2; end <= groups.count; end++) {
    const n = intAt(groups.offsets, end) - offset;
    if (n > MAX_CARD) break;
    if (n < MIN_CARD || !check(groups.digits, offset, n) || !closes(pass, end)) continue;
    const plain = check === isCard || isCard(groups.digits, offset, n);
    if ((isPlain && !plain) || !stands(pass, g, end, plain)) continue;
    best = end;
    isPlain = plain;
  }
  if (best > g) pass.found(CARD, CHECKSUM, from, groups.endOf(best - 1));
  return best;
}

/** Tells most groups before any check: large ones need a line break or a word near them. */
function mayBegin(pass: Pass, g: number): boolean {
  const { groups } = pass;
  const first = groups.digits[intAt(groups.offsets, g)];
  if (g + 1 >= groups.count || first === 0) return false;
  if (pass.strict || isSmall(groups, g) || isBreak(groups.before[g + 1])) return true;
  return pass.context.any(intAt(groups.starts, g));
}

function stands(pass: Pass, g: number, end: number, isPlain: boolean): boolean {
  const { groups } = pass;
  const from = intAt(groups.starts, g);
  const to = groups.endOf(end - 1);
  if (isSmall(groups, g) && isEven(pass, g, end))
    return (
      isPlain && isWhole(pass, g, end) && (!isTableRow(pass, from, to, true) || pass.around(CARD, from, to))
    );
  if (rowGoesOn(groups, end)) return false;
  if (isPlain && wrapped(pass, g, end)) return true;
  // two groups around a dot are a decimal
  return !(end - g === 2 && groups.before[g + 1] === Char.FULL_STOP) && pass.around(CARD, from, to);
}

function isSmall(groups: Groups, g: number): boolean {
  return intAt(groups.lengths, g) <= 2;
}

/** Whether all groups are alike, the last one at most as long. */
function isEven({ groups }: Pass, g: number, end: number): boolean {
  const size = intAt(groups.lengths, g);
  for (let k = g + 1; k < end; k++) if (groups.before[k] !== groups.before[g + 1]) return false; // rows of a matrix
  for (let k = g + 1; k < end - 1; k++) if (groups.lengths[k] !== size) return false;
  return intAt(groups.lengths, end - 1) <= size;
}

/** Whether the row of such groups is neither longer nor begins before. */
function isWhole({ groups }: Pass, g: number, end: number): boolean {
  const { lengths, before } = groups;
  const size = lengths[g];
  const separator = before[g + 1];
  if (g > 0 && lengths[g - 1] === size && before[g] === separator) return false;
  return end === groups.count || lengths[end] !== size || before[end] !== separator;
}

/** Whether only line breaks part the groups. */
function wrapped(pass: Pass, g: number, end: number): boolean {
  for (let k = g + 1; k < end; k++) if (!isBreak(pass.groups.before[k])) return false;
  return end - g <= 3;
}

const digits = new Uint8Array(MAX_CARD);

/** Letters of the longest word that is glued to a card. */
const MAX_GLUED = 12;
/** How far a word for cards ends before the one that has the card. */
const NEXT = 2;

/**
 * A card with letters before or after it in the word from `from` to `to`: card4111111111111111, 4111111111111111exp. The
 * letters before it name a card, or the label right before does. Returns where it ends, or 0.
 */
export function gluedCard(pass: Pass, from: number, to: number): number {
  const b = pass.text.bytes;
  const i = endOf(b, from, ALPHA, MAX_GLUED + 1);
  const end = endOf(b, i, DIGIT, to - i);
  const size = end - i;
  if (size < MIN_CARD || (end < to && !is(b, to - 1, ALPHA)) || !isRun(b, i, size)) return 0;
  // cc:4111…exp:12/27
  return namesCard(b, from, i) || pass.context.distance(CARD, from) <= NEXT
    ? pass.found(CARD, CHECKSUM, i, end)
    : 0;
}

export function namesCard(b: Uint8Array, from: number, to: number): boolean {
  return to > from && wordTable.get(hashBytes(b, from, to)).contexts.includes(CARD);
}

/** Whether the run of digits is a card's. */
export function isRun(b: Uint8Array, from: number, size: number): boolean {
  if (size > MAX_CARD) return false;
  for (let i = 0; i < size; i++) digits[i] = byteAt(b, from + i) - Char.DIGIT_0;
  return isCard(digits, 0, size);
}

const trackDigits = new Uint8Array(MAX_CARD);

/** The card of a magnetic stripe's first track (ISO/IEC 7813), whose digits stand at `from`, after B and before a caret. */
export function trackCard(pass: Pass, from: number): number {
  const b = pass.text.bytes;
  let n = 0;
  for (; n < MAX_CARD && is(b, from + n, DIGIT); n++) trackDigits[n] = byteAt(b, from + n) - Char.DIGIT_0;
  if (b[from + n] !== Char.CARET || !isNamedCard(trackDigits, 0, n)) return 0;
  pass.found(CARD, CHECKSUM, from, from + n);
  return from + n;
}
