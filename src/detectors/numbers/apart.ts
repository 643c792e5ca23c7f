import { isCard, isNamedCard, MAX_CARD, MIN_CARD } from '../checks/card.ts';
import { CHECKSUM, FORMATTED } from '../kinds/kind.ts';
import { tagId } from '../kinds/taxonomy.ts';
import type { Pass } from '../pass.ts';
import { ALPHA, byteAt, DIGIT, endOf, is, setOf, startOf, WORD } from '../text/bytes.ts';
import * as Char from '../text/chars.ts';
import { isTableRow } from './bounds.ts';
import { isRun, namesCard } from './cards.ts';
import { joinedForms, type Run } from './numbers.ts';

const CARD = tagId('CREDIT_CARD');
const PHONE = tagId('PHONE_NUMBER');

/** For each byte that is read as a digit, its value plus one; O and l are read as 0 and 1. 0 for all other bytes. */
const VALUE = new Uint8Array(256);
for (const [k, bytes] of ['0Oo', '1Il', '2', '3', '4', '5', '6', '7', '8', '9'].entries())
  for (const c of bytes) VALUE[c.charCodeAt(0)] = k + 1;

/** 1 for the bytes that may separate two groups. */
const SIGN = setOf(' \t\r\n!"#$%&\'()*+,-./:;=>?@[\\]^_`{|}~');
SIGN[0xff] = 1; // every other sign
/** The bytes that `Groups` reads as a separator when they stand alone. */
const ALONE = setOf(' \t\r\n-./');
/** Separators of lists and tables: any numbers may be written next to each other so. */
const OF_LISTS = setOf(',;|"\'\t\r\n<()[]');

const [MAX_PART, MAX_TAGS] = [6, 24];
/** Digits of the longest group, and of the shortest number. */
const MAX_GROUP = 8;
const [MIN_DIGITS, MIN_GROUPS] = [9, 3];

/** The number that was read last. */
const run: Run = { digits: new Uint8Array(MAX_CARD + MAX_GROUP + 1), count: 0, shape: '' };
const sizes: number[] = [];

/** Whether the digits from `from` to `to` may begin such a number: three bytes rule most others out. */
export function mayBeApart(b: Uint8Array, from: number, to: number): boolean {
  const c = byteAt(b, to);
  const next = byteAt(b, to + 1);
  if (SIGN[c] !== 1 || to - from > MAX_GROUP)
    return c === Char.LESS_THAN || (VALUE[c] !== 0 && to - from < MAX_CARD);
  if (VALUE[next] === 0) {
    const third = byteAt(b, to + 2);
    return SIGN[next] === 1 && (VALUE[third] !== 0 || SIGN[third] === 1);
  }
  return ALONE[c] !== 1 && (c !== Char.COLON_SIGN || to - from > 2); // 12:30
}

/** Size of the part between the group that ends at `to` and the next digit; 0 for none, and for what other readers know. */
function partSize(b: Uint8Array, to: number): number {
  const c = byteAt(b, to);
  let i = to;
  if (c === Char.LESS_THAN) {
    while (i - to < MAX_TAGS && (b[i] !== Char.GREATER_THAN || b[i + 1] === Char.LESS_THAN)) i++;
    return b[i] === Char.GREATER_THAN && VALUE[byteAt(b, i + 1)] !== 0 ? i + 1 - to : 0;
  }
  while (i - to < MAX_PART && SIGN[byteAt(b, i)] === 1) i++;
  if (VALUE[byteAt(b, i)] === 0 || (i - to === 1 && ALONE[c] === 1)) return 0;
  return i - to;
}

function isSame(b: Uint8Array, at: number, other: number, size: number): boolean {
  for (let k = 0; k < size; k++) if (b[at + k] !== b[other + k]) return false;
  return true;
}

/** Reads the groups from `from` on with the same part between them: the `size` bytes at `part`. Returns where the last one ends, 0 for too many digits. */
function read(b: Uint8Array, from: number, part: number, size: number): number {
  let n = 0;
  sizes.length = 0;
  for (let i = from; ; i += size) {
    const start = i;
    for (let v = byteAt(VALUE, byteAt(b, i)); v !== 0; v = byteAt(VALUE, byteAt(b, ++i))) {
      if (n > MAX_CARD || (size > 0 && i - start === MAX_GROUP)) return 0;
      run.digits[n++] = v - 1;
    }
    run.count = n;
    sizes.push(i - start);
    if (size === 0 || !isSame(b, part, i, size) || VALUE[byteAt(b, i + size)] === 0) return i;
  }
}

/**
 * A number whose groups have the same part between them, whatever it is (4111=1111=…, "4111" . "1111" . …, <td>4111</td><td>…), or in
 * which O and l stand for 0 and 1: the digits from `from` to `to` begin it. A word for its kind stands near it, or the groups are a card's. Returns where it ends, or 0.
 */
export function apart(pass: Pass, from: number, to: number): number {
  const b = pass.text.bytes;
  let first = to;
  while (VALUE[byteAt(b, first)] !== 0 && first - from <= MAX_CARD) first++;
  const isLettered = first > to;
  if (isLettered && is(b, first, WORD)) return 0;
  let size = partSize(b, first);
  // what parts the groups of any number may part those of one with letters
  if (size === 0 && isLettered && ALONE[byteAt(b, first)] === 1 && VALUE[byteAt(b, first + 1)] !== 0)
    size = 1;
  if (size === 0 && !isLettered) return 0;
  if (size > 0 && VALUE[byteAt(b, from - size - 1)] !== 0 && isSame(b, first, from - size, size)) return 0;
  const end = read(b, from, first, size);
  if (run.count < MIN_DIGITS || end === 0 || is(b, end, WORD)) return 0;
  if (sizes.length < MIN_GROUPS && !isLettered) return 0;
  run.shape = sizes.join('-');
  const isList =
    size > 1 || b[first] === Char.TAB
      ? b.subarray(first, first + size).some((c) => OF_LISTS[c] === 1)
      : goesOn(b, from, end, byteAt(b, first));
  if (isOneCard(pass, from, end, isList || isLettered, size)) return pass.found(CARD, CHECKSUM, from, end);
  if (!pass.context.any(from)) return 0;
  if (run.shape === '3-3-4' && pass.context.labels(PHONE, from))
    return pass.found(PHONE, FORMATTED, from, end);
  return joinedForms(pass, run, from, end) ? end : 0;
}

/** Whether a list goes on before or behind the numbers in it: -2156,-6341,7116,-6458. */
function goesOn(b: Uint8Array, from: number, to: number, sign: number): boolean {
  return b[to] === sign || b[from - 1] === sign || (!is(b, from - 1, WORD) && b[from - 2] === sign);
}

/** Whether the digits are a card's: printed groups in which nothing else is written, or any with a word near them. */
function isOneCard(pass: Pass, from: number, to: number, needsWord: boolean, size: number): boolean {
  if (run.count < MIN_CARD || run.count > MAX_CARD || !pass.isOn(CARD)) return false;
  const isPrinted = /^4-4-4-(?:[1-4]|4-[1-3])$|^4-6-[45]$/.test(run.shape);
  if (!needsWord && isPrinted && isCard(run.digits, 0, run.count))
    return !(size > 1 && isTableRow(pass, from, to, true));
  return isNamedCard(run.digits, 0, run.count) && pass.around(CARD, from, to);
}

/** A card in a word with low lines, from `from` to `to`: card_4111111111111111, 4111_1111_1111_1111. Returns its end, or 0. */
export function cardInWord(pass: Pass, from: number, to: number): number {
  const b = pass.text.bytes;
  for (let i = from; i + MIN_CARD < to; i++) {
    if (!is(b, i, DIGIT) || (i > from && b[i - 1] !== Char.LOW_LINE_SIGN)) continue;
    const end = endOf(b, i, DIGIT, to - i);
    const size = end - i;
    const split = size === 4 && b[end] === Char.LOW_LINE_SIGN ? apart(pass, i, end) : 0;
    if (split !== 0) return split;
    const isNamed = pass.strict || (i > from && namesCard(b, startOf(b, i - 1, ALPHA, i - 1 - from), i - 1));
    const cardEnd = isNamed && isRun(b, i, size) ? end : 0;
    if (cardEnd === to || (cardEnd !== 0 && b[cardEnd] === Char.LOW_LINE_SIGN))
      return pass.found(CARD, CHECKSUM, i, cardEnd);
    i = end;
  }
  return 0;
}
