import { FORMATTED } from '../hits.ts';
import type { Pass } from '../pass.ts';
import { tagId } from '../taxonomy.ts';
import {
  BLANK,
  COMMA,
  DIGIT_1,
  DIGIT_2,
  FULL_STOP,
  HYPHEN,
  LOWER_D,
  LOWER_E,
  LOWER_F,
  LOWER_O,
  SLASH,
} from '../text/ascii.ts';
import { ALPHA, DIGIT, LOWERED } from '../text/bytes.ts';
import { byteAt, is, loweredAt } from '../text/read.ts';

const BIRTH = tagId('DATE_OF_BIRTH');
/** How near its label a date stands. */
const REACH = 24;
const MAX_MONTH = 10;

/** Names of months, without accents, in English, German, French, Spanish, Italian, Portuguese and Dutch. */
const MONTHS = new Set(
  (
    'january february march april may june july august september october november december jan feb mar apr jun jul aug ' +
    'sep sept oct nov dec januar februar marz maerz mai juni juli oktober dezember okt dez janvier fevrier mars avril juin ' +
    'juillet aout septembre octobre novembre decembre enero febrero marzo abril mayo junio julio agosto septiembre octubre ' +
    'noviembre diciembre gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre janeiro fevereiro marco ' +
    'maio junho julho setembro outubro novembro dezembro januari februari maart mei augustus'
  ).split(' '),
);

/** The first three letters of these names, five bits each. */
const BEGINNINGS = new Uint8Array(32_768);
const beginning = (x: number, y: number, z: number): number => ((x & 31) << 10) | ((y & 31) << 5) | (z & 31);
for (const month of MONTHS)
  BEGINNINGS[beginning(month.charCodeAt(0), month.charCodeAt(1), month.charCodeAt(2))] = 1;

/** Whether the name of a month, a year or the link to one may follow the day from `from` to `to`, or an ending of it. */
export function mayBeDay(b: Uint8Array, from: number, to: number): boolean {
  const c = byteAt(b, to);
  const x = byteAt(b, to + 1);
  if (c === COMMA) return isSeparator(x) && isFollower(b, from);
  if (c === FULL_STOP) return isSeparator(x);
  if (!isSeparator(c)) return is(b, to, ALPHA) && is(b, to + 1, ALPHA) && !is(b, to + 2, ALPHA);
  if (b[to + 3] === BLANK && (x === LOWER_D || x === LOWER_O)) return true;
  if (x === DIGIT_1 || x === DIGIT_2) return isFollower(b, from);
  return BEGINNINGS[beginning(x, byteAt(b, to + 2), byteAt(b, to + 3))] === 1;
}

/** Whether the name of a month may stand before the day at `from`. */
function isFollower(b: Uint8Array, from: number): boolean {
  return isSeparator(byteAt(b, from - 1)) && (b[from - 2] === FULL_STOP || is(b, from - 2, ALPHA));
}

/**
 * A date with the name of its month around the day of one or two digits from `from` to `to`, when a label or key calls
 * it a day of birth: 12 May 1984, May 12th, 1984. Answers where it ends, or 0.
 */
export function wordedDate(pass: Pass, from: number, to: number): number {
  const b = pass.text.bytes;
  const after = ordinalEnd(b, to);
  const year = yearEnd(b, b[after] === COMMA ? after + 1 : after);
  const start = year === 0 ? from : monthBefore(b, from);
  const end = year === 0 ? afterMonth(b, after) : year;
  if (start === 0 || end === 0) return 0;
  if (!pass.context.any(start) || pass.context.distance(BIRTH, start) > REACH) return 0;
  pass.found(BIRTH, FORMATTED, start, end);
  return end;
}

/** The end of a day with its ending: 1st, 2nd, 3rd, 4th; of a day without one, its own. */
function ordinalEnd(b: Uint8Array, to: number): number {
  return is(b, to, ALPHA) && is(b, to + 1, ALPHA) && !is(b, to + 2, ALPHA) ? to + 2 : to;
}

/** The end of ` May 1984`, `-May-1984`, ` of May, 1984`, `. Mai 1984`, ` de mayo de 1984`; 0 for anything else. */
function afterMonth(b: Uint8Array, at: number): number {
  const i = skipLink(b, b[at] === FULL_STOP ? at + 1 : at);
  if (BEGINNINGS[beginning(byteAt(b, i + 1), byteAt(b, i + 2), byteAt(b, i + 3))] === 0) return 0;
  if (!isSeparator(byteAt(b, i))) return 0;
  const end = wordEnd(b, i + 1);
  const year = yearEnd(b, skipLink(b, b[end] === COMMA || b[end] === FULL_STOP ? end + 1 : end));
  return year !== 0 && isMonth(b, i + 1, end) ? year : 0;
}

/** Where the month before the day begins, 0 when there is none. */
function monthBefore(b: Uint8Array, day: number): number {
  let end = day - 1;
  if (!isSeparator(byteAt(b, end))) return 0;
  if (b[end - 1] === FULL_STOP) end--;
  let from = end;
  while (end - from < MAX_MONTH && is(b, from - 1, ALPHA)) from--;
  return isMonth(b, from, end) ? from : 0;
}

/** Passes over the ` of` or ` de` between the parts. */
function skipLink(b: Uint8Array, i: number): number {
  if (b[i] !== BLANK || b[i + 3] !== BLANK) return i;
  const [x, y] = [LOWERED[byteAt(b, i + 1)], LOWERED[byteAt(b, i + 2)]];
  return (x === LOWER_O && y === LOWER_F) || (x === LOWER_D && y === LOWER_E) ? i + 3 : i;
}

/** The end of a year of four digits after one separator. */
function yearEnd(b: Uint8Array, at: number): number {
  if (!isSeparator(byteAt(b, at)) || !(b[at + 1] === DIGIT_1 || b[at + 1] === DIGIT_2)) return 0;
  for (let i = at + 2; i < at + 5; i++) if (!is(b, i, DIGIT)) return 0;
  return is(b, at + 5, DIGIT | ALPHA) ? 0 : at + 5;
}

function wordEnd(b: Uint8Array, at: number): number {
  let i = at;
  while (i - at <= MAX_MONTH && is(b, i, ALPHA)) i++;
  return i;
}

function isMonth(b: Uint8Array, from: number, to: number): boolean {
  if (to - from < 3 || to - from > MAX_MONTH || is(b, from - 1, ALPHA | DIGIT)) return false;
  let name = '';
  for (let i = from; i < to; i++) name += String.fromCharCode(loweredAt(b, i));
  return MONTHS.has(name);
}

function isSeparator(c: number): boolean {
  return c === BLANK || c === HYPHEN || c === SLASH;
}
