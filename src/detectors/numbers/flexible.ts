import { isCard, isIssued } from '../checks/card.ts';
import { CHECKSUM } from '../hits.ts';
import type { Pass } from '../pass.ts';
import { tagId } from '../taxonomy.ts';
import { closes } from './bounds.ts';

const CARD = tagId('CREDIT_CARD');

/**
 * A card whose digits were pulled apart in another way than printed: one by one or in pairs anywhere, in any way
 * with a word near it. Answers the group after it, or `g`.
 */
export function flexibleCard(pass: Pass, g: number): number {
  const { groups } = pass;
  const { offsets, digits } = groups;
  const offset = offsets[g] as number;
  const first = digits[offset] as number;
  if (g + 1 >= groups.count || first < 1 || first > 6) return g;
  const isSmall = (groups.lengths[g] as number) <= 2;
  if (!isSmall && groups.before[g + 1] !== 10 && groups.before[g + 1] !== 13 && !pass.strict) {
    if (!pass.context.any(groups.starts[g] as number)) return g;
  }
  for (let end = g + 2; end <= groups.count; end++) {
    const n = (offsets[end] as number) - offset;
    if (n > 19) break;
    if (n < 13 || !isIssued(digits, offset, n) || !isCard(digits, offset, n) || !closes(pass, end)) continue;
    const from = groups.starts[g] as number;
    const to = groups.endOf(end - 1);
    const stands = isSmall && isEven(pass, g, end) ? isWhole(pass, g, end) : pass.near(CARD, from);
    if (!stands && !wrapped(pass, g, end)) continue;
    pass.found(CARD, CHECKSUM, from, to);
    return end;
  }
  return g;
}

/** Whether all groups are alike, the last one at most as long. */
function isEven({ groups }: Pass, g: number, end: number): boolean {
  const size = groups.lengths[g] as number;
  for (let k = g + 1; k < end - 1; k++) if (groups.lengths[k] !== size) return false;
  return (groups.lengths[end - 1] as number) <= size;
}

/** Whether the row of such groups is neither longer nor begins before. */
function isWhole({ groups }: Pass, g: number, end: number): boolean {
  const { lengths, before } = groups;
  const size = lengths[g];
  const separator = before[g + 1];
  if (g > 0 && lengths[g - 1] === size && before[g] === separator) return false;
  return end === groups.count || lengths[end] !== size || before[end] !== separator;
}

/** Whether only line breaks part the groups. */
function wrapped(pass: Pass, g: number, end: number): boolean {
  for (let k = g + 1; k < end; k++) {
    const c = pass.groups.before[k];
    if (c !== 10 && c !== 13) return false;
  }
  return end - g <= 3;
}
