import { isDate } from '../checks/digits.ts';
import { numberAt } from '../checks/letters.ts';
import { FORMATTED } from '../hits.ts';
import type { Pass } from '../pass.ts';
import { tagId } from '../taxonomy.ts';
import { BLANK, FULL_STOP, HYPHEN, SLASH } from '../text/ascii.ts';
import { DIGIT, IDEOGRAPH, WORD } from '../text/bytes.ts';
import { FOLD } from '../text/fold.ts';
import { byteAt, is } from '../text/read.ts';

const BIRTH = tagId('DATE_OF_BIRTH');
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
/** The eras of Japan by the letter that stands for them: S59.3.5. */
const LETTERS = new Map(
  [...'MTSHR'].map((letter, index) => [letter.charCodeAt(0), (ERAS[index] as Era).before]),
);
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

/** A date whose year is that of an era given by its letter at `from`: S59.3.5, H01/12/31. Returns where it ends, or 0. */
export function letteredDate(pass: Pass, from: number): number {
  const b = pass.text.bytes;
  const before = LETTERS.get(byteAt(b, from));
  const yearEnd = twoDigits(b, from + 1);
  const separator = byteAt(b, yearEnd);
  if (before === undefined || !(separator === FULL_STOP || separator === SLASH || separator === HYPHEN))
    return 0;
  const monthEnd = twoDigits(b, yearEnd + 1);
  const end = twoDigits(b, monthEnd + 1);
  if (b[monthEnd] !== separator || monthEnd === yearEnd + 1 || end === monthEnd + 1 || is(b, end, WORD))
    return 0;
  const year = before + numberAt(b, from + 1, yearEnd - from - 1);
  const isReal = isDate(
    year,
    numberAt(b, yearEnd + 1, monthEnd - yearEnd - 1),
    numberAt(b, monthEnd + 1, end - monthEnd - 1),
  );
  return isReal ? report(pass, from, end) : 0;
}

function eraBefore(b: Uint8Array, at: number): Era | null {
  return ERAS.find(({ name }) => name[0] === b[at - 2] && name[1] === b[at - 1]) ?? null;
}

/** The date of a year, written from `from` on, whose month begins at `month`. */
function namedDate(pass: Pass, from: number, year: number, month: number): number {
  const b = pass.text.bytes;
  const monthEnd = twoDigits(b, month);
  const day = afterSign(b, monthEnd);
  const end = twoDigits(b, day);
  if (monthEnd === month || day === monthEnd || end === day) return 0;
  if (!isDate(year, numberAt(b, month, monthEnd - month), numberAt(b, day, end - day))) return 0;
  return report(pass, from, is(b, end, IDEOGRAPH) ? end + 1 : end);
}

function report(pass: Pass, from: number, end: number): number {
  if (!pass.context.any(from) || pass.context.distance(BIRTH, from) > REACH) return 0;
  pass.found(BIRTH, FORMATTED, from, end);
  return end;
}

/** Where the digits after the sign of a year or month begin; `at` when there is no sign. */
function afterSign(b: Uint8Array, at: number): number {
  if (!is(b, at, IDEOGRAPH)) return at;
  return b[at + 1] === BLANK ? at + 2 : at + 1;
}

function twoDigits(b: Uint8Array, at: number): number {
  let i = at;
  while (i - at < 2 && is(b, i, DIGIT)) i++;
  return i;
}
