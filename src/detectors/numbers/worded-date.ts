import { FORMATTED } from '../hits.ts';
import type { Pass } from '../pass.ts';
import { tagId } from '../taxonomy.ts';
import { ALPHA, CLASS, DIGIT, LOWERED } from '../text/bytes.ts';

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

const is = (b: Uint8Array, i: number, bits: number): boolean =>
  ((CLASS[b[i] as number] as number) & bits) !== 0;

/** Whether the name of a month, a year or the link to one may follow the day from `from` to `to`, or an ending of it. */
export function mayBeDay(b: Uint8Array, from: number, to: number): boolean {
  const c = b[to] as number;
  const x = b[to + 1] as number;
  if (c === 44) return isSeparator(x) && isFollower(b, from);
  if (c === 46) return isSeparator(x);
  if (!isSeparator(c)) return is(b, to, ALPHA) && is(b, to + 1, ALPHA) && !is(b, to + 2, ALPHA);
  if (b[to + 3] === 32 && (x === 100 || x === 111)) return true;
  if (x === 49 || x === 50) return isFollower(b, from);
  return BEGINNINGS[beginning(x, b[to + 2] as number, b[to + 3] as number)] === 1;
}

/** Whether the name of a month may stand before the day at `from`. */
function isFollower(b: Uint8Array, from: number): boolean {
  return isSeparator(b[from - 1] as number) && (b[from - 2] === 46 || is(b, from - 2, ALPHA));
}

/**
 * A date with the name of its month around the day of one or two digits from `from` to `to`, when a label or key calls
 * it a day of birth: 12 May 1984, May 12th, 1984. Answers where it ends, or 0.
 */
export function wordedDate(pass: Pass, from: number, to: number): number {
  const b = pass.text.bytes;
  const after = ordinalEnd(b, to);
  const year = yearEnd(b, b[after] === 44 ? after + 1 : after);
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
  const i = skipLink(b, b[at] === 46 ? at + 1 : at);
  if (BEGINNINGS[beginning(b[i + 1] as number, b[i + 2] as number, b[i + 3] as number)] === 0) return 0;
  if (!isSeparator(b[i] as number)) return 0;
  const end = wordEnd(b, i + 1);
  const year = yearEnd(b, skipLink(b, b[end] === 44 || b[end] === 46 ? end + 1 : end));
  return year !== 0 && isMonth(b, i + 1, end) ? year : 0;
}

/** Where the month before the day begins, 0 when there is none. */
function monthBefore(b: Uint8Array, day: number): number {
  let end = day - 1;
  if (!isSeparator(b[end] as number)) return 0;
  if (b[end - 1] === 46) end--;
  let from = end;
  while (end - from < MAX_MONTH && is(b, from - 1, ALPHA)) from--;
  return isMonth(b, from, end) ? from : 0;
}

/** Passes over the ` of` or ` de` between the parts. */
function skipLink(b: Uint8Array, i: number): number {
  if (b[i] !== 32 || b[i + 3] !== 32) return i;
  const [x, y] = [LOWERED[b[i + 1] as number], LOWERED[b[i + 2] as number]];
  return (x === 111 && y === 102) || (x === 100 && y === 101) ? i + 3 : i;
}

/** The end of a year of four digits after one separator. */
function yearEnd(b: Uint8Array, at: number): number {
  if (!isSeparator(b[at] as number) || !(b[at + 1] === 49 || b[at + 1] === 50)) return 0;
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
  for (let i = from; i < to; i++) name += String.fromCharCode(LOWERED[b[i] as number] as number);
  return MONTHS.has(name);
}

function isSeparator(c: number): boolean {
  return c === 32 || c === 45 || c === 47;
}
