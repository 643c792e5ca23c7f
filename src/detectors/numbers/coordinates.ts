import { FORMATTED } from '../hits.ts';
import type { Pass } from '../pass.ts';
import { tagId } from '../taxonomy.ts';
import { FULL_STOP, HYPHEN, LINE_FEED } from '../text/ascii.ts';
import { ALPHA, DIGIT } from '../text/bytes.ts';
import { intAt, is } from '../text/read.ts';
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
    groups.before[g + 1] !== FULL_STOP ||
    intAt(groups.lengths, g + 1) < MIN_DECIMALS
  )
    return g;
  const size = intAt(groups.lengths, g);
  if (size > 3 || (g + 2 < groups.count && groups.before[g + 2] === FULL_STOP) || !pass.isOn(COORDINATES))
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
  pass.found(COORDINATES, FORMATTED, b[start - 1] === HYPHEN ? start - 1 : start, to);
  return g + 2;
}

/** Whether another number with decimals stands right before or after: one alone is any measure. */
function isPair(pass: Pass, start: number, to: number): boolean {
  if (start >= pass.placeEnd && start - pass.placeEnd <= APART) return true;
  const b = pass.text.bytes;
  let i = to + 1;
  while (i - to < APART && b[i] !== LINE_FEED && b[i] !== 0 && !is(b, i, DIGIT)) i++;
  const from = i;
  while (i - from < 4 && is(b, i, DIGIT)) i++;
  return i > from && b[i] === FULL_STOP && is(b, i + MIN_DECIMALS, DIGIT) && is(b, i + 1, DIGIT);
}
