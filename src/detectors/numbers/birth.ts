import { isDate, number } from '../checks/digits.ts';
import { FORMATTED } from '../hits.ts';
import type { Pass } from '../pass.ts';
import { tagId } from '../taxonomy.ts';

const BIRTH = tagId('DATE_OF_BIRTH');

/** A date from group `g` that a label or key names as a day of birth; answers the group after it, or `g`. */
export function datedNumber(pass: Pass, g: number): number {
  const { groups } = pass;
  const from = groups.starts[g] as number;
  if (!pass.context.any(from) || pass.context.distance(BIRTH, from) > 24) return g;
  const a = groups.lengths[g] as number;
  const b = groups.lengths[g + 1] as number;
  const c = groups.lengths[g + 2] as number;
  const { digits } = groups;
  const o = groups.offsets[g] as number;
  let end = g + 3;
  if (a === 8 && isDate(number(digits, o, 4), number(digits, o + 4, 2), number(digits, o + 6, 2)))
    end = g + 1;
  else if (g + 3 > groups.count || a + b + c > 8) return g;
  else {
    const [x, y, z] = [number(digits, o, a), number(digits, o + a, b), number(digits, o + a + b, c)];
    const isBirth =
      a === 4 ? isDate(x, y, z) : (c === 4 || c === 2) && a <= 2 && (isDate(z, x, y) || isDate(z, y, x));
    if (!isBirth) return g;
  }
  pass.found(BIRTH, FORMATTED, from, groups.endOf(end - 1));
  return end;
}
