import { isCard, isNamedCard, MAX_CARD, MIN_CARD } from '../checks/card.ts';
import { CHECKSUM } from '../hits.ts';
import type { Pass } from '../pass.ts';
import { tagId } from '../taxonomy.ts';
import { CARRIAGE_RETURN, FULL_STOP, LINE_FEED } from '../text/ascii.ts';
import { intAt } from '../text/read.ts';
import { closes, isTableRow, rowGoesOn } from './bounds.ts';
import type { Groups } from './groups.ts';

const CARD = tagId('CREDIT_CARD');

/**
 * A card whose digits were pulled apart in another way than printed: one by one or in pairs anywhere, in any way
 * with a word near it. Returns the group after it, or `g`.
 */
export function flexibleCard(pass: Pass, g: number): number {
  const { groups } = pass;
  if (!mayBegin(pass, g)) return g;
  const offset = intAt(groups.offsets, g);
  const from = intAt(groups.starts, g);
  // without a word near it, only what is a card anywhere
  const check =
    groups.named && (pass.strict || pass.context.any(from) || pass.context.anyAfter(groups.end))
      ? isNamedCard
      : isCard;
  let best = g;
  let isPlain = false;
  // the longest, and what needs no word first: a prefix of many cards is one that only words tell
  for (let end = g + 2; end <= groups.count; end++) {
    const n = intAt(groups.offsets, end) - offset;
    if (n > MAX_CARD) break;
    if (n < MIN_CARD || !check(groups.digits, offset, n) || !closes(pass, end)) continue;
    const plain = check === isCard || isCard(groups.digits, offset, n);
    if ((isPlain && !plain) || !stands(pass, g, end, plain)) continue;
    best = end;
    isPlain = plain;
  }
  if (best > g) pass.found(CARD, CHECKSUM, from, groups.endOf(best - 1));
  return best;
}

/** Tells most groups before any check: large ones need a line break or a word near them. */
function mayBegin(pass: Pass, g: number): boolean {
  const { groups } = pass;
  const first = groups.digits[intAt(groups.offsets, g)];
  if (g + 1 >= groups.count || first === 0) return false;
  if (pass.strict || isSmall(groups, g) || isBreak(groups.before[g + 1])) return true;
  return pass.context.any(intAt(groups.starts, g));
}

function stands(pass: Pass, g: number, end: number, isPlain: boolean): boolean {
  const { groups } = pass;
  const from = intAt(groups.starts, g);
  const to = groups.endOf(end - 1);
  if (isSmall(groups, g) && isEven(pass, g, end))
    return (
      isPlain && isWhole(pass, g, end) && (!isTableRow(pass, from, to, true) || pass.around(CARD, from, to))
    );
  if (rowGoesOn(groups, end)) return false;
  if (isPlain && wrapped(pass, g, end)) return true;
  // two groups around a dot are a decimal
  return !(end - g === 2 && groups.before[g + 1] === FULL_STOP) && pass.around(CARD, from, to);
}

function isSmall(groups: Groups, g: number): boolean {
  return intAt(groups.lengths, g) <= 2;
}

/** Whether all groups are alike, the last one at most as long. */
function isEven({ groups }: Pass, g: number, end: number): boolean {
  const size = intAt(groups.lengths, g);
  for (let k = g + 1; k < end; k++) if (groups.before[k] !== groups.before[g + 1]) return false; // rows of a matrix
  for (let k = g + 1; k < end - 1; k++) if (groups.lengths[k] !== size) return false;
  return intAt(groups.lengths, end - 1) <= size;
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
  for (let k = g + 1; k < end; k++) if (!isBreak(pass.groups.before[k])) return false;
  return end - g <= 3;
}

function isBreak(c: number | undefined): boolean {
  return c === LINE_FEED || c === CARRIAGE_RETURN;
}
