import { isDate, number } from '../checks/digits.ts';
import { numberAt } from '../checks/letters.ts';
import { FORMATTED } from '../hits.ts';
import type { Pass } from '../pass.ts';
import { tagId } from '../taxonomy.ts';
import { BLANK, COLON_SIGN, FULL_STOP, HYPHEN } from '../text/ascii.ts';
import { intAt } from '../text/read.ts';
import type { Groups } from './groups.ts';

const BIRTH = tagId('DATE_OF_BIRTH');

/** The date of a moment (ISO 8601) at `i` that a label or key names as a day of birth; returns whether it is one. */
export function datedMoment(pass: Pass, i: number): boolean {
  const b = pass.text.bytes;
  if (b[i + 4] !== HYPHEN || !isDate(numberAt(b, i, 4), numberAt(b, i + 5, 2), numberAt(b, i + 8, 2)))
    return false;
  if (isFileTime(b, i + 10)) return false;
  pass.found(BIRTH, FORMATTED, i, i + 10);
  return true;
}

/** Whether a time to the nanosecond follows a date, as `stat` prints it of a file: Birth: 2024-01-02 10:11:12.123456789. */
function isFileTime(b: Uint8Array, to: number): boolean {
  return b[to] === BLANK && b[to + 3] === COLON_SIGN && b[to + 9] === FULL_STOP;
}

/** A date from group `g` that a label or key names as a day of birth; returns the group after it, or `g`. */
export function datedNumber(pass: Pass, g: number): number {
  const { groups } = pass;
  const size = intAt(groups.lengths, g);
  const isWhole = size === 8;
  if (!isWhole && (size > 4 || size === 3 || g + 3 > groups.count)) return g;
  const from = intAt(groups.starts, g);
  if (!pass.context.any(from) || pass.context.distance(BIRTH, from) > 24) return g;
  const end = isWhole ? wholeDate(groups, g) : partedDate(groups, g);
  if (end === g || isFileTime(pass.text.bytes, groups.endOf(end - 1))) return g;
  pass.found(BIRTH, FORMATTED, from, groups.endOf(end - 1));
  return end;
}

function wholeDate({ digits, offsets }: Groups, g: number): number {
  const o = intAt(offsets, g);
  const [first, second, year] = [number(digits, o, 2), number(digits, o + 2, 2), number(digits, o + 4, 4)];
  const isYearLast =
    year > 1899 && year < 2100 && (isDate(year, second, first) || isDate(year, first, second));
  const isYearFirst = isDate(number(digits, o, 4), number(digits, o + 4, 2), number(digits, o + 6, 2));
  return isYearFirst || isYearLast ? g + 1 : g;
}

/** Year, month and day, or the day or month first. */
function partedDate({ before, digits, lengths, offsets }: Groups, g: number): number {
  if (before[g + 1] !== before[g + 2] || before[g + 1] === COLON_SIGN) return g;
  const o = intAt(offsets, g);
  const a = intAt(lengths, g);
  const b = intAt(lengths, g + 1);
  const c = intAt(lengths, g + 2);
  if (a + b + c > 8) return g;
  const x = number(digits, o, a);
  const y = number(digits, o + a, b);
  const z = number(digits, o + a + b, c);
  const isBirth = a === 4 ? isDate(x, y, z) : (c === 4 || c === 2) && (isDate(z, x, y) || isDate(z, y, x));
  return isBirth ? g + 3 : g;
}
