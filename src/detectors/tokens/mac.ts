import { FORMATTED } from '../hits.ts';
import type { Pass } from '../pass.ts';
import { tagId } from '../taxonomy.ts';
import { CLASS, HEX, WORD } from '../text/bytes.ts';

const MAC = tagId('MAC_ADDRESS');

/**
 * A hardware address whose first separator (`:`, `-` or, in Cisco's form of three groups, `.`) is at `at`; answers
 * where it ends, or 0.
 */
export function mac(pass: Pass, at: number): number {
  const b = pass.text.bytes;
  const separator = b[at] as number;
  const size = separator === 46 ? 4 : 2;
  const count = separator === 46 ? 3 : 6;
  const from = at - size;
  if (from < pass.text.start || isPart(b[from - 1] as number)) return 0;
  let bits = 0;
  let holes = 0;
  let letters = 0;
  let i = from;
  for (let g = 0; g < count; g++) {
    if (g > 0 && b[i++] !== separator) return 0;
    for (let k = 0; k < size; k++, i++) {
      const x = HEX[b[i] as number] as number;
      if (x > 15) return 0;
      bits |= x;
      holes |= 15 - x;
      if (x > 9) letters++;
    }
  }
  if (isPart(b[i] as number) || (b[i] === separator && isPart(b[i + 1] as number))) return 0;
  if (bits === 0 || holes === 0) return 0; // unset and broadcast are nobody's
  if (letters === 0 && separator !== 58 && !pass.near(MAC, from)) return 0; // 12-34-56-…: digits in pairs
  pass.found(MAC, FORMATTED, from, i);
  return i;
}

function isPart(c: number): boolean {
  return ((CLASS[c] as number) & WORD) !== 0 || c === 58;
}
