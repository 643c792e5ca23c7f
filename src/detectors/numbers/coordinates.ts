import { FORMATTED } from '../kinds/kind.ts';
import { tagId } from '../kinds/taxonomy.ts';
import type { Pass } from '../pass.ts';
import { ALPHA, byteAt, DIGIT, intAt, is, SYMBOL, WORD } from '../text/bytes.ts';
import * as Char from '../text/chars.ts';
import { digitCount } from './bounds.ts';

const COORDINATES = tagId('COORDINATES');
/** Decimals of a place of some ten metres. */
const MIN_DECIMALS = 4;
const MAX_DEGREES = 180;
/** How near its word the first number stands; the second follows the first. */
const NEAR = 28;
/** How far apart the two numbers of a place stand: 52.520008, lng: 13.404954. */
const APART = 20;

/** Degrees with decimals from group `g`, beside their word or under their key; returns the group after, or `g`. */
export function degrees(pass: Pass, g: number): number {
  const { groups } = pass;
  if (
    g + 1 >= groups.count ||
    groups.before[g + 1] !== Char.FULL_STOP ||
    intAt(groups.lengths, g + 1) < MIN_DECIMALS
  )
    return g;
  const size = intAt(groups.lengths, g);
  if (
    size > 3 ||
    (g + 2 < groups.count && groups.before[g + 2] === Char.FULL_STOP) ||
    !pass.isOn(COORDINATES)
  )
    return g;
  let whole = 0;
  for (let i = 0; i < size; i++) whole = 10 * whole + (groups.digits[intAt(groups.offsets, g) + i] ?? 0);
  if (whole > MAX_DEGREES || digitCount(pass, g, g + 2) > 19) return g;
  const start = intAt(groups.starts, g);
  if (!pass.context.any(start) || pass.context.distance(COORDINATES, start) > NEAR) return g;
  const b = pass.text.bytes;
  const to = groups.endOf(g + 1);
  if (is(b, to, ALPHA | DIGIT) || !(pass.strict || isPair(pass, start, to))) return g;
  pass.placeEnd = to;
  pass.found(COORDINATES, FORMATTED, b[start - 1] === Char.HYPHEN ? start - 1 : start, to);
  return g + 2;
}

/** Whether another number with decimals stands right before or after: one alone is any measure. */
function isPair(pass: Pass, start: number, to: number): boolean {
  if (start >= pass.placeEnd && start - pass.placeEnd <= APART) return true;
  const b = pass.text.bytes;
  let i = to + 1;
  while (i - to < APART && b[i] !== Char.LINE_FEED && b[i] !== 0 && !is(b, i, DIGIT)) i++;
  const from = i;
  while (i - from < 4 && is(b, i, DIGIT)) i++;
  return i > from && b[i] === Char.FULL_STOP && is(b, i + MIN_DECIMALS, DIGIT) && is(b, i + 1, DIGIT);
}

const LATITUDE = 1;
const LONGITUDE = 2;
const MAX_MINUTES = 60;
/** Decimals of degrees that name a place without minutes. */
const MIN_HEMISPHERE_DECIMALS = 3;
/** Characters between the two angles of a place. */
const MAX_GAP = 3;

/** The axis of the letter of a hemisphere; O is west in French, Spanish and other Romance languages. */
const AXIS = new Uint8Array(256);
for (const letter of 'NS') AXIS[letter.charCodeAt(0)] = LATITUDE;
for (const letter of 'EWO') AXIS[letter.charCodeAt(0)] = LONGITUDE;

/** The result of the last call of `angle`. */
let start = 0;
let axis = 0;
let isPrecise = false;

/**
 * A place in degrees with the letters of its hemispheres, before or after them, whose first digits are at `at`:
 * 40°26'46"N 79°58'56"W, N 40° 26.767' W 79° 58.933', 40.446° N, 79.982° W. Returns where it ends, or 0.
 */
export function hemispheres(pass: Pass, at: number): number {
  const b = pass.text.bytes;
  if (!pass.isOn(COORDINATES)) return 0;
  const end = angle(b, at, pass.text.start);
  if (end === 0) return 0;
  const [from, first, wasPrecise] = [start, axis, isPrecise];
  let i = end;
  while (i - end < MAX_GAP && isGap(byteAt(b, i))) i++;
  if (AXIS[byteAt(b, i)] !== 0) i += b[i + 1] === Char.BLANK ? 2 : 1;
  const to = is(b, i, DIGIT) ? angle(b, i, end) : 0;
  if (to === 0 || first === axis || !(wasPrecise || isPrecise)) return 0;
  return pass.found(COORDINATES, FORMATTED, from, to);
}

/** Whether the sign of degrees follows the number whose whole digits end at `to`. */
export function isAngle(b: Uint8Array, to: number): boolean {
  let i = to;
  if (b[i] === Char.FULL_STOP)
    do i++;
    while (i - to < 12 && is(b, i, DIGIT));
  return b[i] === SYMBOL;
}

function isGap(c: number): boolean {
  return c === Char.BLANK || c === Char.COMMA || c === Char.SEMICOLON || c === Char.SLASH;
}

/**
 * Reads degrees, minutes and seconds from `at`, with the letter of a hemisphere behind them, or before them and not before
 * `floor`. Returns where they end, or 0.
 */
function angle(b: Uint8Array, at: number, floor: number): number {
  const degrees = numberEnd(b, at, 3, MAX_DEGREES);
  if (degrees === 0 || b[degrees] !== SYMBOL) return 0;
  isPrecise = decimals > MIN_HEMISPHERE_DECIMALS - 1;
  let end = degrees + 1;
  const minutes = numberEnd(b, skipBlank(b, end), 2, MAX_MINUTES);
  if (minutes !== 0 && b[minutes] === Char.SINGLE_QUOTE) {
    isPrecise = true;
    end = minutes + 1;
    const seconds = numberEnd(b, skipBlank(b, end), 2, MAX_MINUTES);
    const mark = seconds === 0 ? 0 : secondsMark(b, seconds);
    if (mark !== 0) end = seconds + mark;
  }
  start = b[at - 1] === Char.BLANK ? at - 2 : at - 1;
  axis = start < floor || is(b, start - 1, WORD) ? 0 : byteAt(AXIS, byteAt(b, start));
  if (axis !== 0) return end;
  const after = skipBlank(b, end);
  start = at;
  axis = is(b, after + 1, WORD) ? 0 : byteAt(AXIS, byteAt(b, after));
  return axis === 0 ? 0 : after + 1;
}

let decimals = 0;

/** End of a number below `limit` of at most so many digits, with decimals or not; 0 when there is none. */
function numberEnd(b: Uint8Array, at: number, digits: number, limit: number): number {
  let i = at;
  let value = 0;
  while (i - at < digits && is(b, i, DIGIT)) value = value * 10 + byteAt(b, i++) - Char.DIGIT_0;
  decimals = 0;
  if (i === at || value > limit) return 0;
  if (b[i] !== Char.FULL_STOP) return i;
  const whole = i++;
  while (i - whole < 12 && is(b, i, DIGIT)) i++;
  decimals = i - whole - 1;
  return i;
}

/** Length of the sign of seconds at `at`: a double quote, escaped or not, two single ones, a double prime; 0 for none. */
function secondsMark(b: Uint8Array, at: number): number {
  if (b[at] === Char.BACKSLASH && b[at + 1] === Char.DOUBLE_QUOTE) return 2;
  if (b[at] === Char.SINGLE_QUOTE && b[at + 1] === Char.SINGLE_QUOTE) return 2;
  return b[at] === Char.DOUBLE_QUOTE || b[at] === SYMBOL ? 1 : 0;
}

function skipBlank(b: Uint8Array, at: number): number {
  return b[at] === Char.BLANK ? at + 1 : at;
}
