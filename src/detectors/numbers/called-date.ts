import { isDate } from '../checks/digits.ts';
import { numberAt } from '../checks/letters.ts';
import { FORMATTED } from '../hits.ts';
import type { Pass } from '../pass.ts';
import { QUOTE } from '../secrets/labels.ts';
import { tagId } from '../taxonomy.ts';
import { BLANK, COMMA, LEFT_PARENTHESIS, RIGHT_PARENTHESIS } from '../text/ascii.ts';
import { DIGIT } from '../text/bytes.ts';
import { byteAt, is } from '../text/read.ts';

const BIRTH = tagId('DATE_OF_BIRTH');
/** How near its label the year stands: `date_of_birth = datetime.date(1984, …`, `dateOfBirth(LocalDate.of(1984, …`. */
const REACH = 40;
/** Months are counted from 0 in JavaScript. */
const ANY_MONTH = 12;

/** A date as the arguments of a call, whose year is at `i`: `date(1984, 3, 5)`; returns where the day ends, or 0. */
export function calledDate(pass: Pass, i: number): number {
  const b = pass.text.bytes;
  if (b[i - 1] !== LEFT_PARENTHESIS || b[i + 4] !== COMMA) return 0;
  const month = skipBlank(b, i + 5);
  const monthEnd = digitsEnd(b, month);
  if (monthEnd === month || b[monthEnd] !== COMMA) return 0;
  const day = skipBlank(b, monthEnd + 1);
  const end = digitsEnd(b, day);
  if (end === day || !(b[end] === RIGHT_PARENTHESIS || b[end] === COMMA)) return 0;
  const value = numberAt(b, month, monthEnd - month);
  const year = numberAt(b, i, 4);
  if (value > ANY_MONTH || !isDate(year, Math.max(1, value), numberAt(b, day, end - day))) return 0;
  if (!pass.isOn(BIRTH) || !pass.context.any(i) || pass.context.distance(BIRTH, i) > REACH) return 0;
  pass.found(BIRTH, FORMATTED, i, end);
  return end;
}

function skipBlank(b: Uint8Array, at: number): number {
  return b[at] === BLANK ? at + 1 : at;
}

/** Where one or two digits end. */
function digitsEnd(b: Uint8Array, at: number): number {
  let i = at;
  while (i - at < 2 && is(b, i, DIGIT)) i++;
  return is(b, i, DIGIT) ? at : i;
}

/** Whether a literal at `i` is the first argument of a call. */
export function isArgument(b: Uint8Array, i: number): boolean {
  return QUOTE[byteAt(b, i - 1)] === 1 && b[i - 2] === LEFT_PARENTHESIS;
}
