import type { Pass } from '../pass.ts';
import { BLANK, COMMA, FULL_STOP } from '../text/ascii.ts';
import { ALPHA, CLASS, DIGIT, LETTER, SPACE, WORD } from '../text/bytes.ts';

/** Whether a number may begin with this group: it is not the rest of a decimal, a price or a longer number. */
export function opens(pass: Pass, g: number): boolean {
  const { groups } = pass;
  const before = groups.before[g] as number;
  if (g > 0) return isLoose(before) || before === 40;
  const b = pass.text.bytes;
  const start = groups.starts[0] as number;
  // a comma separates the fields of a row: what follows it is no part of the number before
  if (before === 46 && ((CLASS[b[start - 2] as number] as number) & DIGIT) !== 0) return false;
  // a price; a part of something longer with dashes, such as a UUID
  return before !== 36 && !(before === 45 && ((CLASS[b[start - 2] as number] as number) & WORD) !== 0);
}

/** Separators across which a number may begin or end. */
function isLoose(c: number): boolean {
  return ((CLASS[c] as number) & SPACE) !== 0 || c === 58 || c === 41 || c === 40;
}

/** Whether a number may end before group `g` (or before what follows the last one). */
export function closes(pass: Pass, g: number): boolean {
  const { groups } = pass;
  const next = groups.before[g] as number;
  if (g < groups.count) return isLoose(next);
  const b = pass.text.bytes;
  const after = CLASS[b[groups.end + 1] as number] as number;
  if (next === 46) return (after & DIGIT) === 0;
  if (next === 45 && (after & WORD) !== 0) return isWordAhead(b, groups.end + 1);
  return next !== 64 && next !== 37 && ((CLASS[next] as number) & WORD) === 0; // @ and %
}

/**
 * Whether the last group before `end` is the whole part of an amount with a decimal comma: 1 234 567,89 and 1.234.567,8.
 */
export function isAmount(pass: Pass, end: number): boolean {
  const { groups } = pass;
  const b = pass.text.bytes;
  if (end !== groups.count || b[groups.end] !== COMMA) return false;
  const separator = groups.before[end - 1];
  if (groups.lengths[end - 1] !== 3 || !(separator === BLANK || separator === FULL_STOP)) return false;
  let to = groups.end + 1;
  while ((CLASS[b[to] as number] as number) & DIGIT) to++;
  const decimals = to - groups.end - 1;
  return (decimals === 1 || decimals === 2) && b[to] !== COMMA;
}

/** Whether three letters or more, and no digit, follow: 51-16-34-25-Office. */
function isWordAhead(b: Uint8Array, at: number): boolean {
  let i = at;
  while ((CLASS[b[i] as number] as number) & (ALPHA | LETTER)) i++;
  return i - at >= 3 && !((CLASS[b[i] as number] as number) & WORD);
}

export function digitCount(pass: Pass, g: number, end: number): number {
  return (pass.groups.offsets[end] as number) - (pass.groups.offsets[g] as number);
}
