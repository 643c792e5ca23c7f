import { isCard, MAX_CARD, MIN_CARD } from '../checks/card.ts';
import { hashBytes } from '../context/hash.ts';
import { wordTable } from '../context/table.ts';
import { CHECKSUM } from '../hits.ts';
import type { Pass } from '../pass.ts';
import { tagId } from '../taxonomy.ts';
import { BLANK, DIGIT_0, LOW_LINE_SIGN } from '../text/ascii.ts';
import { ALPHA, DIGIT, SPACE, WORD } from '../text/bytes.ts';
import { byteAt, is } from '../text/read.ts';
import { isTableRow } from './bounds.ts';

const CARD = tagId('CREDIT_CARD');
const GROUP = 4;
const digits = new Uint8Array(MAX_CARD + GROUP);

/** 1 for what may stand between the groups of such a card: commas and signs, or two spaces. */
const SPLITS = new Uint8Array(256);
for (const c of ',|*:;\\~') SPLITS[c.charCodeAt(0)] = 1;

/** Whether the byte at `at` behind four digits may part the groups of a card that are not written as printed. */
export function splitsCard(b: Uint8Array, at: number): boolean {
  return SPLITS[byteAt(b, at)] === 1 || (b[at] === BLANK && b[at + 1] === BLANK);
}

/**
 * A card in groups of four with commas, other signs or two spaces between them: four digits begin at `from`. Returns where
 * it ends, or 0.
 */
export function splitCard(pass: Pass, from: number): number {
  const b = pass.text.bytes;
  const separator = byteAt(b, from + GROUP);
  const isWide = separator === BLANK;
  // a list of numbers goes on
  if (!isWide && (b[from - 1] === separator || (is(b, from - 1, SPACE) && b[from - 2] === separator)))
    return 0;
  const to = groupsEnd(b, from, separator, isWide ? 2 : 1);
  if (to === 0 || is(b, to, WORD) || (b[to] === separator && (!isWide || b[to + 1] === BLANK))) return 0;
  return isWide && isTableRow(pass, from, to, true) ? 0 : report(pass, from, to);
}

/** A card in a word with low lines, from `from` to `to`: card_4111111111111111, 4111_1111_1111_1111. Returns its end, or 0. */
export function cardInWord(pass: Pass, from: number, to: number): number {
  const b = pass.text.bytes;
  for (let i = from; i + MIN_CARD < to; i++) {
    if (!is(b, i, DIGIT) || (i > from && b[i - 1] !== LOW_LINE_SIGN)) continue;
    let end = i;
    while (end < to && is(b, end, DIGIT)) end++;
    const size = end - i;
    const isSplit = size === GROUP && b[end] === LOW_LINE_SIGN;
    const isNamed = pass.strict || (i > from && namesCard(b, wordStart(b, from, i - 1), i - 1));
    const cardEnd = isSplit ? groupsEnd(b, i, LOW_LINE_SIGN) : isNamed && isRun(b, i, size) ? end : 0;
    if (cardEnd === to || (cardEnd !== 0 && b[cardEnd] === LOW_LINE_SIGN)) return report(pass, i, cardEnd);
    i = end;
  }
  return 0;
}

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
  let i = from;
  while (i - from <= MAX_GLUED && is(b, i, ALPHA)) i++;
  let end = i;
  while (end < to && is(b, end, DIGIT)) end++;
  const size = end - i;
  if (size < MIN_CARD || (end < to && !is(b, to - 1, ALPHA)) || !isRun(b, i, size)) return 0;
  // cc:4111…exp:12/27
  return namesCard(b, from, i) || pass.context.distance(CARD, from) <= NEXT ? report(pass, i, end) : 0;
}

/** Where the letters begin that end at `to`. */
function wordStart(b: Uint8Array, from: number, to: number): number {
  let start = to;
  while (start > from && is(b, start - 1, ALPHA)) start--;
  return start;
}

function namesCard(b: Uint8Array, from: number, to: number): boolean {
  return to > from && wordTable.get(hashBytes(b, from, to)).contexts.includes(CARD);
}

/** Where groups of four digits that begin at `from` end, when they are a card's and no more of them follow; 0 otherwise. */
function groupsEnd(b: Uint8Array, from: number, separator: number, width = 1): number {
  let n = 0;
  let i = from;
  for (;;) {
    const start = i;
    for (; is(b, i, DIGIT) && i - start <= GROUP; i++) digits[n++] = byteAt(b, i) - DIGIT_0;
    const size = i - start;
    if (size > GROUP || n > MAX_CARD) return 0;
    if (size < GROUP || b[i] !== separator || b[i + width - 1] !== separator || !is(b, i + width, DIGIT))
      break;
    i += width;
  }
  return isCard(digits, 0, n) ? i : 0;
}

/** Whether the run of digits is a card's. */
function isRun(b: Uint8Array, from: number, size: number): boolean {
  if (size > MAX_CARD) return false;
  for (let i = 0; i < size; i++) digits[i] = byteAt(b, from + i) - DIGIT_0;
  return isCard(digits, 0, size);
}

function report(pass: Pass, from: number, to: number): number {
  pass.found(CARD, CHECKSUM, from, to);
  return to;
}
