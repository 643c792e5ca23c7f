import { isCard } from '../checks/card.ts';
import { CHECKSUM } from '../hits.ts';
import type { Pass } from '../pass.ts';
import { tagId } from '../taxonomy.ts';
import { closes, digitCount } from './bounds.ts';

const CARD = tagId('CREDIT_CARD');

/**
 * A card whose digits were pulled apart in another way than printed: one by one or in pairs anywhere, in any way
 * with a word near it. Answers the group after it, or `g`.
 */
export function flexibleCard(pass: Pass, g: number): number {
  const { groups } = pass;
  const size = groups.lengths[g] as number;
  const first = groups.digits[groups.offsets[g] as number] as number;
  if (g + 1 >= groups.count || first < 1 || first > 6) return g;
  let even = true;
  for (let end = g + 1; end <= groups.count; end++) {
    const n = digitCount(pass, g, end);
    if (n > 19) break;
    if (end - g > 1 && groups.lengths[end - 1] !== size && end - g > 2 && groups.lengths[end - 2] !== size)
      even = false;
    if (n < 13 || end - g < 2 || !closes(pass, end)) continue;
    const from = groups.starts[g] as number;
    const to = groups.endOf(end - 1);
    if (!isCard(groups.digits, groups.offsets[g] as number, n)) continue;
    if (!(even && size <= 2) && !pass.around(CARD, from, to) && !wrapped(pass, g, end)) continue;
    pass.found(CARD, CHECKSUM, from, to);
    return end;
  }
  return g;
}

/** Whether only line breaks part the groups. */
function wrapped(pass: Pass, g: number, end: number): boolean {
  for (let k = g + 1; k < end; k++) {
    const c = pass.groups.before[k];
    if (c !== 10 && c !== 13) return false;
  }
  return end - g <= 3;
}
