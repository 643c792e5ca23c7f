import { isDate, numberAt } from '../checks/check-digits.ts';
import { FORMATTED } from '../kinds/kind.ts';
import { tagId } from '../kinds/taxonomy.ts';
import type { Pass } from '../pass.ts';
import { ALPHA, byteAt, DIGIT, endOf, is, isAt, LETTER, LOWERED, loweredAt, startOf } from '../text/bytes.ts';
import * as Char from '../text/chars.ts';
import { FOLD } from '../text/text.ts';

const BIRTH = tagId('DATE_OF_BIRTH');
/** How near its label a date stands. */
const REACH = 24;
const NAME = ALPHA | LETTER;
const MAX_MONTH = 12;

/** Names of months, without accents: of Germanic, Romance and Slavic languages, Finnish, Hungarian, Turkish, Indonesian. */
const NAMES =
  'january february march april may june july august september october november december jan feb mar apr jun jul ' +
  'aug sep sept oct nov dec januar februar marz maerz mai juni juli oktober dezember okt dez janvier fevrier ' +
  'mars avril juin juillet aout septembre octobre novembre decembre enero febrero marzo abril mayo junio julio ' +
  'agosto septiembre octubre noviembre diciembre gennaio febbraio aprile maggio giugno luglio settembre ottobre ' +
  'dicembre janeiro fevereiro marco maio junho julho setembro outubro novembro dezembro januari februari maart ' +
  'mei augustus maj augusti marts stycznia lutego marca kwietnia maja czerwca lipca sierpnia wrzesnia ' +
  'pazdziernika listopada grudnia ledna unora brezna dubna kvetna cervna cervence srpna zari rijna listopadu ' +
  'prosince januara februara aprila juna jula augusta septembra oktobra novembra decembra majus junius julius ' +
  'aprilis tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesakuuta heinakuuta elokuuta syyskuuta ' +
  'lokakuuta marraskuuta joulukuuta ocak subat mart nisan mayis haziran temmuz agustos eylul ekim kasim aralik ' +
  'ianuarie februarie martie aprilie iunie iulie septembrie octombrie noiembrie decembrie maret agustus desember ' +
  'gener febrer juny juliol agost setembre desembre января февраля марта апреля мая июня июля августа сентября ' +
  'октября ноября декабря січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня ' +
  'ιανουαριου φεβρουαριου μαρτιου απριλιου μαιου ιουνιου ιουλιου αυγουστου σεπτεμβριου οκτωβριου νοεμβριου ' +
  'δεκεμβριου';
const folded = (name: string): string =>
  String.fromCharCode(...[...name].map((c) => byteAt(FOLD, c.charCodeAt(0))));
const MONTHS = new Set(NAMES.split(' ').map(folded));

/** The first three letters of these names, five bits each. */
const BEGINNINGS = new Uint8Array(32_768);
const beginning = (x: number, y: number, z: number): number => ((x & 31) << 10) | ((y & 31) << 5) | (z & 31);
for (const month of MONTHS)
  BEGINNINGS[beginning(month.charCodeAt(0), month.charCodeAt(1), month.charCodeAt(2))] = 1;

/** Whether the name of a month, a year or the link to one may follow the day from `from` to `to`, or an ending of it. */
export function mayBeDay(b: Uint8Array, from: number, to: number): boolean {
  const c = byteAt(b, to);
  const x = byteAt(b, to + 1);
  if (c === Char.COMMA) return isSeparator(x) && isFollower(b, from);
  if (c === Char.FULL_STOP) return isSeparator(x);
  if (!isSeparator(c))
    return is(b, to, NAME) && is(b, to + 1, NAME) && (!is(b, to + 2, NAME) || isJoinedMonth(b, to));
  if (b[to + 3] === Char.BLANK && (x === Char.LOWER_D || x === Char.LOWER_O)) return true;
  if (x === Char.DIGIT_1 || x === Char.DIGIT_2) return isFollower(b, from);
  return BEGINNINGS[beginning(x, byteAt(b, to + 2), byteAt(b, to + 3))] === 1;
}

/** Whether the name of a month may stand before the day at `from`. */
function isFollower(b: Uint8Array, from: number): boolean {
  return isSeparator(byteAt(b, from - 1)) && (b[from - 2] === Char.FULL_STOP || is(b, from - 2, NAME));
}

/**
 * A date with the name of its month around the day of one or two digits from `from` to `to`, when a label or key calls
 * it a day of birth: 12 May 1984, May 12th, 1984. Returns where it ends, or 0.
 */
export function wordedDate(pass: Pass, from: number, to: number): number {
  const b = pass.text.bytes;
  if (isJoinedMonth(b, to)) return joinedDate(pass, from, to);
  const after = ordinalEnd(b, to);
  const year = yearEnd(b, b[after] === Char.COMMA ? after + 1 : after);
  const start = year === 0 ? from : monthBefore(b, from);
  const end = year === 0 ? afterMonth(b, after) || spacedEnd(b, from, to) : year;
  if (start === 0 || end === 0) return 0;
  const isNamed = pass.context.any(start) && pass.context.distance(BIRTH, start) <= REACH;
  if (!isNamed && !isBorn(b, end)) return 0;
  return pass.found(BIRTH, FORMATTED, start, end);
}

/** Whether the three letters of a month and a year in digits stand at `to`: 12MAR1981. */
function isJoinedMonth(b: Uint8Array, to: number): boolean {
  if (!is(b, to, NAME) || !is(b, to + 3, DIGIT) || !is(b, to + 4, DIGIT)) return false;
  return BEGINNINGS[beginning(byteAt(b, to), byteAt(b, to + 1), byteAt(b, to + 2))] === 1;
}

/** A date without separators, as tickets and passports write it; returns where it ends, or 0. */
function joinedDate(pass: Pass, from: number, to: number): number {
  const b = pass.text.bytes;
  let end = to + 5;
  if (is(b, end, DIGIT) && is(b, end + 1, DIGIT)) end += 2;
  if (is(b, end, NAME | DIGIT) || !isMonthName(b, to, to + 3)) return 0;
  if (!pass.context.any(from) || pass.context.distance(BIRTH, from) > REACH) return 0;
  return pass.found(BIRTH, FORMATTED, from, end);
}

/** Words behind a day that make it one of birth. */
const BORN = ' geboren| geborene| dogumlu| szulet| urodz| naro| syntynyt| fodt| fodd'.split('|');

function isBorn(b: Uint8Array, end: number): boolean {
  return b[end] === Char.BLANK && BORN.some((word) => isAt(b, end, word));
}

/** The end of a date in digits with spaces after its dots: 5. 3. 1984. */
function spacedEnd(b: Uint8Array, from: number, to: number): number {
  if (b[to] !== Char.FULL_STOP || b[to + 1] !== Char.BLANK) return 0;
  let i = to + 2;
  while (i - to < 4 && is(b, i, DIGIT)) i++;
  if (i === to + 2 || b[i] !== Char.FULL_STOP || b[i + 1] !== Char.BLANK) return 0;
  const year = yearEnd(b, i + 1);
  return year !== 0 &&
    isDate(numberAt(b, year - 4, 4), numberAt(b, to + 2, i - to - 2), numberAt(b, from, to - from))
    ? year
    : 0;
}

/** The end of a day with its ending: 1st, 2nd, 3rd, 4th; of a day without one, its own. */
function ordinalEnd(b: Uint8Array, to: number): number {
  return is(b, to, NAME) && is(b, to + 1, NAME) && !is(b, to + 2, NAME) ? to + 2 : to;
}

/** The end of ` May 1984`, `-May-1984`, ` of May, 1984`, `. Mai 1984`, ` de mayo de 1984`; 0 for anything else. */
function afterMonth(b: Uint8Array, at: number): number {
  const i = skipLink(b, b[at] === Char.FULL_STOP ? at + 1 : at);
  if (BEGINNINGS[beginning(byteAt(b, i + 1), byteAt(b, i + 2), byteAt(b, i + 3))] === 0) return 0;
  if (!isSeparator(byteAt(b, i))) return 0;
  const end = wordEnd(b, i + 1);
  const year =
    yearEnd(b, skipLink(b, b[end] === Char.COMMA || b[end] === Char.FULL_STOP ? end + 1 : end)) ||
    shortYearEnd(b, end);
  return year !== 0 && isMonth(b, i + 1, end) ? year : 0;
}

/** Where the month before the day begins, 0 when there is none. */
function monthBefore(b: Uint8Array, day: number): number {
  let end = day - 1;
  if (!isSeparator(byteAt(b, end))) return 0;
  if (b[end - 1] === Char.FULL_STOP) end--;
  const from = startOf(b, end, NAME, MAX_MONTH);
  return isMonth(b, from, end) ? from : 0;
}

/** Passes over the ` of` or ` de` between the parts. */
function skipLink(b: Uint8Array, i: number): number {
  if (b[i] !== Char.BLANK || b[i + 3] !== Char.BLANK) return i;
  const [x, y] = [LOWERED[byteAt(b, i + 1)], LOWERED[byteAt(b, i + 2)]];
  return (x === Char.LOWER_O && y === Char.LOWER_F) || (x === Char.LOWER_D && y === Char.LOWER_E) ? i + 3 : i;
}

/** The end of a year of four digits after one separator. */
function yearEnd(b: Uint8Array, at: number): number {
  if (!isSeparator(byteAt(b, at)) || !(b[at + 1] === Char.DIGIT_1 || b[at + 1] === Char.DIGIT_2)) return 0;
  for (let i = at + 2; i < at + 5; i++) if (!is(b, i, DIGIT)) return 0;
  return is(b, at + 5, NAME | DIGIT) ? 0 : at + 5;
}

/** The end of a year of two digits after a dash: 5-Mar-84. */
function shortYearEnd(b: Uint8Array, at: number): number {
  if (b[at] !== Char.HYPHEN || !is(b, at + 1, DIGIT) || !is(b, at + 2, DIGIT)) return 0;
  return is(b, at + 3, NAME | DIGIT) ? 0 : at + 3;
}

function wordEnd(b: Uint8Array, at: number): number {
  return endOf(b, at, NAME, MAX_MONTH + 1);
}

function isMonth(b: Uint8Array, from: number, to: number): boolean {
  return (
    to - from > 2 && to - from <= MAX_MONTH && !is(b, from - 1, NAME | DIGIT) && isMonthName(b, from, to)
  );
}

function isMonthName(b: Uint8Array, from: number, to: number): boolean {
  let name = '';
  for (let i = from; i < to; i++) name += String.fromCharCode(loweredAt(b, i));
  return MONTHS.has(name);
}

function isSeparator(c: number): boolean {
  return c === Char.BLANK || c === Char.HYPHEN || c === Char.SLASH;
}
