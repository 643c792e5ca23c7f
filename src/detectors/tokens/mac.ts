import { FORMATTED } from '../hits.ts';
import type { Pass } from '../pass.ts';
import { tagId } from '../taxonomy.ts';
import { COLON_SIGN, FULL_STOP } from '../text/ascii.ts';
import { WORD } from '../text/bytes.ts';
import { byteAt, classOf, hexAt } from '../text/read.ts';

const MAC = tagId('MAC_ADDRESS');

/**
 * A hardware address whose first separator (`:`, `-` or, in Cisco's form of three groups, `.`) is at `at`; returns
 * where it ends, or 0.
 */
export function mac(pass: Pass, at: number): number {
  const b = pass.text.bytes;
  const separator = byteAt(b, at);
  const size = separator === FULL_STOP ? 4 : 2;
  const count = separator === FULL_STOP ? 3 : 6;
  const from = at - size;
  if (from < pass.text.start || isPart(byteAt(b, from - 1))) return 0;
  let bits = 0;
  let holes = 0;
  let letters = 0;
  let i = from;
  for (let g = 0; g < count; g++) {
    if (g > 0 && b[i++] !== separator) return 0;
    for (let k = 0; k < size; k++, i++) {
      const x = hexAt(b, i);
      if (x > 15) return 0;
      bits |= x;
      holes |= 15 - x;
      if (x > 9) letters++;
    }
  }
  if (isPart(byteAt(b, i)) || (b[i] === separator && isPart(byteAt(b, i + 1)))) return 0;
  if (bits === 0 || holes === 0) return 0; // unset and broadcast are nobody's
  if (letters === 0 && separator !== COLON_SIGN && !pass.near(MAC, from)) return 0; // 12-34-56-…: digits in pairs
  pass.found(MAC, FORMATTED, from, i);
  return i;
}

function isPart(c: number): boolean {
  return (classOf(c) & WORD) !== 0 || c === COLON_SIGN;
}
