import { BARE } from '../hits.ts';
import type { Pass } from '../pass.ts';
import { tagId } from '../taxonomy.ts';
import { CLASS, SPACE } from '../text/bytes.ts';

const PASSWORD = tagId('PASSWORD');

/** A word with digits that a sentence calls a password ("the password is hunter2"); answers its end, or 0. */
export function spokenPassword(pass: Pass, from: number, to: number): number {
  const b = pass.text.bytes;
  // " is ", " was "
  if (b[from - 1] !== 32 || b[from - 2] !== 115 || b[from - 4] !== (b[from - 3] === 105 ? 32 : 119)) return 0;
  if (to - from < 5 || pass.context.distance(PASSWORD, from) > 8) return 0;
  let end = to;
  while (end < pass.text.end && end - from < 64 && !((CLASS[b[end] as number] as number) & SPACE)) end++;
  if (b[end - 1] === 46 || b[end - 1] === 44) end--;
  pass.found(PASSWORD, BARE, from, end);
  return end;
}
