import type { Pass } from '../pass.ts';
import {
  ALPHA,
  byteAt,
  classAt,
  classOf,
  DIGIT,
  endOf,
  intAt,
  is,
  LETTER,
  SPACE,
  setOf,
  WORD,
} from '../text/bytes.ts';
import * as Char from '../text/chars.ts';
import type { Groups } from './groups.ts';

/**
 * Whether any word before or after the sequence names a kind of value: without one most kinds are not tried. No word stands between
 * the groups, so that none of them is nearer to one than the first and the last.
 */
export function hasWord({ groups, context, strict }: Pass): boolean {
  groups.hasWord ??= strict || context.any(intAt(groups.starts, 0)) || context.anyAfter(groups.end);
  return groups.hasWord;
}

/** Whether a number may begin with this group: it is not the rest of a decimal, a price or a longer number. */
export function opens(pass: Pass, g: number): boolean {
  const { groups } = pass;
  const before = byteAt(groups.before, g);
  if (g > 0) return isLoose(before) || before === Char.LEFT_PARENTHESIS;
  const b = pass.text.bytes;
  const start = intAt(groups.starts, 0);
  // a comma separates the fields of a row: what follows it is no part of the number before
  if (before === Char.FULL_STOP && is(b, start - 2, DIGIT)) return false;
  // a price; a part of something longer with dashes, such as a UUID
  return before !== Char.DOLLAR && !(before === Char.HYPHEN && is(b, start - 2, WORD));
}

/** Separators across which a number may begin or end. */
function isLoose(c: number): boolean {
  return (
    (classOf(c) & SPACE) !== 0 ||
    c === Char.COLON_SIGN ||
    c === Char.RIGHT_PARENTHESIS ||
    c === Char.LEFT_PARENTHESIS
  );
}

/** Whether a number may end before group `g` (or before what follows the last one). */
export function closes(pass: Pass, g: number): boolean {
  const { groups } = pass;
  const next = byteAt(groups.before, g);
  if (g < groups.count) return isLoose(next) || (next === Char.FULL_STOP && isZeroFraction(groups, g));
  const b = pass.text.bytes;
  const after = classAt(b, groups.end + 1);
  if (next === Char.FULL_STOP) return (after & DIGIT) === 0;
  if (next === Char.HYPHEN && (after & WORD) !== 0) return isWordAhead(b, groups.end + 1);
  return next !== Char.AT_SIGN && next !== Char.PERCENT && (classOf(next) & WORD) === 0; // @ and %
}

/** Whether the last group is only the zeros behind the point of a long number: 4111111111111111.0. */
function isZeroFraction({ count, lengths, offsets, digits }: Groups, g: number): boolean {
  if (g !== count - 1 || intAt(lengths, g) > 2 || intAt(lengths, g - 1) < MIN_LONG) return false;
  for (let k = intAt(offsets, g); k < intAt(offsets, count); k++) if (digits[k] !== 0) return false;
  return true;
}

/** Whether another group of the same size and with the same separator follows those before `end`. */
export function rowGoesOn({ before, count, lengths }: Groups, end: number): boolean {
  return end < count && lengths[end] === lengths[end - 1] && before[end] === before[end - 1];
}

/**
 * Whether the last group before `end` is the whole part of an amount with a decimal comma: 1 234 567,89 and 1.234.567,8.
 */
export function isAmount(pass: Pass, end: number): boolean {
  const { groups } = pass;
  const b = pass.text.bytes;
  if (end !== groups.count || b[groups.end] !== Char.COMMA) return false;
  const separator = groups.before[end - 1];
  if (groups.lengths[end - 1] !== 3 || !(separator === Char.BLANK || separator === Char.FULL_STOP))
    return false;
  const to = endOf(b, groups.end + 1, DIGIT);
  const decimals = to - groups.end - 1;
  return (decimals === 1 || decimals === 2) && b[to] !== Char.COMMA;
}

/** Whether three letters or more, and no digit, follow: 51-16-34-25-Office. */
function isWordAhead(b: Uint8Array, at: number): boolean {
  const i = endOf(b, at, ALPHA | LETTER);
  return i - at >= 3 && !(classAt(b, i) & WORD);
}

export function digitCount(pass: Pass, g: number, end: number): number {
  return intAt(pass.groups.offsets, end) - intAt(pass.groups.offsets, g);
}

const HEX_GROUP = 4;
/** Digits of a number that is none of an amount. */
const MIN_LONG = 12;

/** Whether groups of one size are part of a longer row of such groups, as in tables of code points: 5723 ⟦5724 5725 5726⟧ 58ED. */
export function isInRow(pass: Pass, g: number, end: number): boolean {
  const { groups } = pass;
  const { lengths, before } = groups;
  for (let k = g + 1; k < end; k++) if (lengths[k] !== lengths[g]) return false;
  if (rowGoesOn(groups, end)) return true;
  // what ends with dashes before it is a number of its own: 4012-8888-8888-1881 4012 8888 8888 1881
  if (g > 1 && before[g - 1] !== before[g]) return false;
  if (g > 0) return lengths[g - 1] === lengths[g] && before[g] === before[g + 1];
  return isHexGroup(pass.text.bytes, intAt(groups.starts, g) - 1);
}

/** Whether the word before the space at `at` is four digits or capitals of hexadecimal, with a digit. */
function isHexGroup(b: Uint8Array, at: number): boolean {
  if (!is(b, at, SPACE) || is(b, at - HEX_GROUP - 1, WORD)) return false;
  let digits = 0;
  for (let i = at - HEX_GROUP; i < at; i++) {
    const c = byteAt(b, i);
    if (is(b, i, DIGIT)) digits++;
    else if (c < Char.UPPER_A || c > Char.UPPER_F) return false;
  }
  return digits > 0;
}

/** Characters of a line of a table that are looked at. */
const MAX_LINE = 240;
/** The characters of a line that has only numbers. */
const OF_NUMBERS = setOf('0123456789 \t\r.,;|:+-%');

/**
 * Whether the groups between two places are cells in a table of numbers: other numbers and no words stand in their line,
 * and a line beside it is of the same kind. `mayBeWhole` when the groups may be all of their line.
 */
export function isTableRow(
  { text: { bytes: b, start, end } }: Pass,
  from: number,
  to: number,
  mayBeWhole = false,
): boolean {
  let first = from;
  while (first > start && b[first - 1] !== Char.LINE_FEED && from - first < MAX_LINE) first--;
  let last = to;
  while (last < end && b[last] !== Char.LINE_FEED && last - to < MAX_LINE) last++;
  const others = numbersIn(b, first, from) + numbersIn(b, to, last);
  if ((others === 0 && !mayBeWhole) || !isOfNumbers(b, first, from) || !isOfNumbers(b, to, last))
    return false;
  let next = last + 1;
  while (next < end && b[next] !== Char.LINE_FEED && next - last < MAX_LINE) next++;
  if (isOfNumbers(b, last + 1, Math.min(next, end)) && numbersIn(b, last + 1, Math.min(next, end)) > 1)
    return true;
  let before = first - 1;
  while (before > start && b[before - 1] !== Char.LINE_FEED && first - before < MAX_LINE) before--;
  return before >= start && isOfNumbers(b, before, first - 1) && numbersIn(b, before, first - 1) > 1;
}

function isOfNumbers(b: Uint8Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (OF_NUMBERS[byteAt(b, i)] !== 1) return false;
  return true;
}

function numbersIn(b: Uint8Array, from: number, to: number): number {
  let count = 0;
  for (let i = from; i < to; i++) if (is(b, i, DIGIT) && (i === from || !is(b, i - 1, DIGIT))) count++;
  return count;
}
