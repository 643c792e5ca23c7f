import { isDate, number, numberAt } from '../checks/check-digits.ts';
import { FORMATTED } from '../kinds/kind.ts';
import { tagId } from '../kinds/taxonomy.ts';
import type { Pass } from '../pass.ts';
import { byteAt, classOf, DIGIT, endOf, IDEOGRAPH, intAt, is, WORD } from '../text/bytes.ts';
import * as Char from '../text/chars.ts';
import { FOLD } from '../text/text.ts';
import { type Groups, nextGroup } from './groups.ts';

const BIRTH = tagId('DATE_OF_BIRTH');

/** The date of a moment (ISO 8601) at `i` that a label or key names as a day of birth; returns whether it is one. */
export function datedMoment(pass: Pass, i: number): boolean {
  const b = pass.text.bytes;
  if (b[i + 4] !== Char.HYPHEN || !isDate(numberAt(b, i, 4), numberAt(b, i + 5, 2), numberAt(b, i + 8, 2)))
    return false;
  if (isFileTime(b, i + 10)) return false;
  pass.found(BIRTH, FORMATTED, i, i + 10);
  return true;
}

/** Whether a time to the nanosecond follows a date, as `stat` prints it of a file: Birth: 2024-01-02 10:11:12.123456789. */
function isFileTime(b: Uint8Array, to: number): boolean {
  return b[to] === Char.BLANK && b[to + 3] === Char.COLON_SIGN && b[to + 9] === Char.FULL_STOP;
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
  if (before[g + 1] !== before[g + 2] || before[g + 1] === Char.COLON_SIGN) return g;
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

/** How near its label a date stands. */
const REACH = 24;

interface Era {
  /** Its two characters as bytes of `Text`. */
  name: readonly number[];
  /** The year before its first. */
  before: number;
}

const ERAS: readonly Era[] = (
  [
    ['明治', 1867],
    ['大正', 1911],
    ['昭和', 1925],
    ['平成', 1988],
    ['令和', 2018],
    ['民国', 1911],
    ['民國', 1911],
  ] as const
).map(([name, before]) => ({ name: folded(name), before }));
/** The signs of a year and of a first year. */
const [YEAR = 0, FIRST = 0] = folded('年元');

function folded(text: string): number[] {
  return [...text].map((c) => byteAt(FOLD, c.charCodeAt(0)));
}

/**
 * A date in the order of East Asia, whose first digits stand from `from` to `to`, when a label or key calls it a day of
 * birth: 1984年3月5日, 1984년 3월 5일, 昭和59年3月5日, 平成元年1月8日. Returns where it ends, or 0.
 */
export function easternDate(pass: Pass, from: number, to: number): number {
  const b = pass.text.bytes;
  if (!is(b, to, IDEOGRAPH)) return 0;
  if (to - from === 4) return namedDate(pass, from, numberAt(b, from, 4), afterSign(b, to));
  if (b[from - 1] === YEAR && b[from - 2] === FIRST) {
    const era = eraBefore(b, from - 2);
    return era === null ? 0 : namedDate(pass, from - 4, era.before + 1, from);
  }
  const era = eraBefore(b, from);
  if (era === null) return 0;
  return namedDate(pass, from - 2, era.before + numberAt(b, from, to - from), afterSign(b, to));
}

function eraBefore(b: Uint8Array, at: number): Era | null {
  return ERAS.find(({ name }) => name[0] === b[at - 2] && name[1] === b[at - 1]) ?? null;
}

/** The date of a year, written from `from` on, whose month begins at `month`. */
function namedDate(pass: Pass, from: number, year: number, month: number): number {
  const b = pass.text.bytes;
  const monthEnd = endOf(b, month, DIGIT, 2);
  const day = afterSign(b, monthEnd);
  const end = endOf(b, day, DIGIT, 2);
  if (monthEnd === month || day === monthEnd || end === day) return 0;
  if (!isDate(year, numberAt(b, month, monthEnd - month), numberAt(b, day, end - day))) return 0;
  return report(pass, from, is(b, end, IDEOGRAPH) ? end + 1 : end);
}

function report(pass: Pass, from: number, end: number): number {
  if (!pass.context.any(from) || pass.context.distance(BIRTH, from) > REACH) return 0;
  return pass.found(BIRTH, FORMATTED, from, end);
}

/** Where the digits after the sign of a year or month begin; `at` when there is no sign. */
function afterSign(b: Uint8Array, at: number): number {
  if (!is(b, at, IDEOGRAPH)) return at;
  return b[at + 1] === Char.BLANK ? at + 2 : at + 1;
}

/**
 * End of a date or time that begins with the digits from `from` to `to`, as ISO 8601 writes them: they are the
 * numbers seen most and hold nothing. 0 when it is none.
 */
export function momentEnd(b: Uint8Array, from: number, to: number, next: number): number {
  if (to - from === 4 && next === Char.HYPHEN) {
    if (!two(b, to + 1) || b[to + 3] !== Char.HYPHEN || !two(b, to + 4)) return 0;
    const end = to + 6;
    if (
      (b[end] === Char.UPPER_T || b[end] === Char.BLANK) &&
      two(b, end + 1) &&
      b[end + 3] === Char.COLON_SIGN
    )
      return timeEnd(b, end + 1);
    return isEnd(b, end) ? end : 0;
  }
  return to - from === 2 && next === Char.COLON_SIGN ? timeEnd(b, from) : 0;
}

/** End of `hh:mm[:ss[.fraction]][zone]`, 0 when it is longer than a time. */
function timeEnd(b: Uint8Array, from: number): number {
  if (!two(b, from) || b[from + 2] !== Char.COLON_SIGN || !two(b, from + 3)) return 0;
  let end = from + 5;
  if (b[end] === Char.COLON_SIGN && two(b, end + 1)) {
    end += 3;
    if ((b[end] === Char.FULL_STOP || b[end] === Char.COMMA) && is(b, end + 1, DIGIT)) {
      end++;
      while (is(b, end, DIGIT)) end++;
    }
  }
  if (b[end] === Char.UPPER_Z) end++;
  else if (
    (b[end] === Char.PLUS || b[end] === Char.HYPHEN) &&
    two(b, end + 1) &&
    b[end + 3] === Char.COLON_SIGN &&
    two(b, end + 4)
  )
    end += 6;
  return isEnd(b, end) ? end : 0;
}

/**
 * End of a moment as servers log it, whose year stands from `from` to `to`: 2026/11/12 14:03:22, 12/Nov/2026:14:03:22, Nov 2026
 * 14:03:22.123. 0 for anything else, and where a longer number goes on.
 */
export function loggedMomentEnd(b: Uint8Array, from: number, to: number, next: number): number {
  if (to - from !== 4) return 0;
  let time = to + 1;
  if (next === Char.SLASH) {
    if (!two(b, time) || b[time + 2] !== Char.SLASH || !two(b, time + 3) || b[time + 5] !== Char.BLANK)
      return 0;
    time += 6;
  } else if (b[from - 1] !== (next === Char.COLON_SIGN ? Char.SLASH : Char.BLANK)) return 0;
  const end = timeEnd(b, time);
  return end !== 0 && is(b, end - 1, DIGIT) && nextGroup(b, end, byteAt(b, end)) === 0 ? end : 0;
}

function two(b: Uint8Array, at: number): boolean {
  return is(b, at, DIGIT) && is(b, at + 1, DIGIT) && !is(b, at + 2, DIGIT);
}

function isEnd(b: Uint8Array, end: number): boolean {
  const c = byteAt(b, end);
  return (classOf(c) & WORD) === 0 && c !== Char.COLON_SIGN && c !== Char.HYPHEN;
}
